package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.RefusalCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stores, and what stands before them, say to a PUT, and what an operator is told of it. */
class RefusalDiagnosisTest {
  private static final String REGION = "eu-central-1";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | XAmzContentSHA256Mismatch | | SETTING | false | set checksums = when_required in"
            + " [s3]",
        "403 | RequestTimeTooSkewed | | OTHER | false | set this host's clock",
        "403 | InvalidAccessKeyId | | RIGHTS | false | check the AWS credentials",
        "403 | SignatureDoesNotMatch | | RIGHTS | false | check the AWS credentials",
        "400 | ExpiredToken | | RIGHTS | false | their token has expired",
        "400 | AuthorizationHeaderMalformed | | SETTING | false | correct region or endpoint",
        "301 | PermanentRedirect | | SETTING | false | correct region or endpoint",
        "400 | KMS.DisabledException | | OTHER | false | the key that encrypts the bucket",
        "403 | AccessDenied | not authorized to perform: kms:GenerateDataKey | RIGHTS | false |"
            + " allow kms:GenerateDataKey and kms:Decrypt",
        "400 | KMS.ThrottlingException | | OTHER | true | ''",
        "403 | AccountProblem | | OTHER | false | ask the provider",
        "403 | QuotaExceeded | | OTHER | false | the bucket is full",
        "507 | XMinioStorageFull | | OTHER | false | the bucket is full",
        "413 | | | TOO_LARGE | false | its body has 4711 bytes",
        "400 | EntityTooLarge | | TOO_LARGE | false | its body has 4711 bytes",
        "403 | AccessDenied | | RIGHTS | false | allow s3:PutObject; where that is allowed, a"
            + " policy may demand a header",
        "403 | AccessDenied | with an explicit deny in a resource-based policy | RIGHTS | false | a"
            + " policy denies s3:PutObject, whatever allows it",
        "403 | | | RIGHTS | false | something in front of the store refused it",
        "404 | NoSuchBucket | | SETTING | false | create the bucket",
        "405 | MethodNotAllowed | | SETTING | false | correct endpoint",
        "407 | | | SETTING | false | a proxy on the way wants a password",
        "409 | InvalidBucketState | | SETTING | false | Object Lock",
        "409 | ConditionalRequestConflict | | OTHER | true | ''",
        "400 | | | SETTING | false | no store of S3 answers so",
        "400 | InvalidRequest | | OTHER | false | ''",
        "400 | BadDigest | The Content-MD5 you specified did not match | OTHER | true | ''",
        "501 | NotImplemented | | OTHER | false | does not know conditional writes",
        "502 | | | OTHER | true | something in front of the store answers for it",
        "503 | SlowDown | | OTHER | true | ''",
        "429 | TooManyRequests | | OTHER | true | ''",
        "418 | Teapot | | OTHER | false | ''",
      })
  void eachAnswerHasACauseAndARemedy(
      int status, String code, String said, RefusalCause cause, boolean mayPass, String remedy) {
    RefusalDiagnosis refusal =
        RefusalDiagnosis.of(put(status, code, said, Checksums.WHEN_SUPPORTED, null));

    assertThat(refusal.cause()).isEqualTo(cause);
    assertThat(refusal.mayPass()).isEqualTo(mayPass);
    if (remedy.isEmpty()) {
      assertThat(refusal.remedy()).isEmpty();
    } else {
      assertThat(refusal.remedy()).contains(remedy);
    }
  }

  @Test
  void whatATrialHasShownIsBelieved() {
    for (int status : new int[] {400, 411, 501}) {
      assertThat(
              RefusalDiagnosis.of(
                  put(status, "", "", Checksums.WHEN_SUPPORTED, Checksums.WHEN_REQUIRED)))
          .satisfies(r -> assertThat(r.cause()).isEqualTo(RefusalCause.SETTING))
          .satisfies(r -> assertThat(r.remedy()).contains("set checksums = when_required in [s3]"));
    }
    assertThat(
            RefusalDiagnosis.of(
                put(400, "", "", Checksums.WHEN_REQUIRED, Checksums.WHEN_SUPPORTED)))
        .satisfies(r -> assertThat(r.cause()).isEqualTo(RefusalCause.SETTING))
        .satisfies(r -> assertThat(r.remedy()).contains("set it to when_supported"));
  }

  @Test
  void aBucketThatDemandsAChecksumIsTakenAtItsWord() {
    RefusalDiagnosis refusal =
        RefusalDiagnosis.of(
            put(
                400,
                "InvalidRequest",
                "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests"
                    + " with Object Lock parameters",
                Checksums.WHEN_REQUIRED,
                null));

    assertThat(refusal.cause()).isEqualTo(RefusalCause.SETTING);
    assertThat(refusal.remedy()).contains("Object Lock", "leave out checksums = when_required");
  }

  private static RefusedRequest put(
      int status, String code, String said, Checksums mode, Checksums cure) {
    S3Settings settings = S3Settings.of(REGION, "bucket").checksums(mode).build();
    return new RefusedRequest(
        new RequestFailure("PUT", "s3:PutObject", "key", 4711, settings),
        status,
        code == null ? "" : code,
        said == null ? "" : said,
        "",
        cure);
  }
}
