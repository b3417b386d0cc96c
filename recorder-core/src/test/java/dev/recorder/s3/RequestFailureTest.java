package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.ObjectStore.Unclear;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

class RequestFailureTest {
  @Test
  void aStoreThatRefusesAppendedChecksumsIsAMatterOfTheKeyThatTurnsThemOff() {
    Unclear unclear = put(Checksums.WHEN_SUPPORTED).of(answer(400, "XAmzContentSHA256Mismatch"));

    assertThat(unclear.cause()).isEqualTo(RefusalCause.SETTING);
    assertThat(unclear.remediable()).isFalse();
    assertThat(unclear.reason())
        .contains("PUT of key in bucket bucket", "XAmzContentSHA256Mismatch")
        .endsWith("set checksums = when_required in [s3]");
  }

  @Test
  void aHashThatDoesNotFitWithoutAppendedChecksumsIsDamageOnTheWayAndMayPass() {
    Unclear unclear = put(Checksums.WHEN_REQUIRED).of(answer(400, "XAmzContentSHA256Mismatch"));

    assertThat(unclear.cause()).isEqualTo(RefusalCause.OTHER);
    assertThat(unclear.remediable()).isTrue();
    assertThat(unclear.reason()).doesNotContain("checksums");
  }

  @Test
  void aForbiddenRequestIsAMatterOfRights() {
    Unclear unclear = put(Checksums.WHEN_SUPPORTED).of(answer(403, "AccessDenied"));

    assertThat(unclear.cause()).isEqualTo(RefusalCause.RIGHTS);
    assertThat(unclear.reason()).contains("; allow s3:PutObject");
  }

  @Test
  void anArchivedObjectIsNoMatterOfRights() {
    RequestFailure get =
        new RequestFailure("GET", "s3:GetObject", "key", 0, settings(Checksums.WHEN_SUPPORTED));

    Unclear unclear = get.of(answer(403, "InvalidObjectState"));

    assertThat(unclear.cause()).isEqualTo(RefusalCause.ARCHIVED);
    assertThat(unclear.remediable()).isFalse();
    assertThat(unclear.reason())
        .contains("GET of key in bucket bucket: HTTP 403 InvalidObjectState; it is archived")
        .contains("restore it")
        .doesNotContain("allow");
  }

  /** As a HEAD with credentials that have expired is answered: without a body. */
  @Test
  void theRegionThatIsSetIsNotCalledWrong() {
    assertThat(answeredFrom("eu-central-1", 400)).endsWith("HTTP 400");
    assertThat(answeredFrom("us-east-1", 400))
        .endsWith("the bucket is in region us-east-1: correct region or endpoint");
    assertThat(answeredFrom("eu-central-1", 301))
        .endsWith("the bucket is in region eu-central-1: correct region or endpoint");
  }

  private static String answeredFrom(String region, int status) {
    SdkHttpResponse http =
        SdkHttpResponse.builder()
            .statusCode(status)
            .putHeader("x-amz-bucket-region", region)
            .build();
    return new RequestFailure("HEAD", "s3:GetObject", "key", 0, settings(Checksums.WHEN_SUPPORTED))
        .of(
            (S3Exception)
                S3Exception.builder()
                    .statusCode(status)
                    .awsErrorDetails(AwsErrorDetails.builder().sdkHttpResponse(http).build())
                    .build())
        .reason();
  }

  private static RequestFailure put(Checksums checksums) {
    return new RequestFailure("PUT", "s3:PutObject", "key", 0, settings(checksums));
  }

  private static S3Settings settings(Checksums checksums) {
    return S3Settings.of("eu-central-1", "bucket").checksums(checksums).build();
  }

  private static S3Exception answer(int status, String code) {
    return (S3Exception)
        S3Exception.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build();
  }
}
