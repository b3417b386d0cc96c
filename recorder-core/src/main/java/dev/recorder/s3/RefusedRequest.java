package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A store's refusal and its request, from which {@link RefusalDiagnosis} finds the cause.
 *
 * @param code S3's error code; empty if there is none, as in an answer to HEAD, or if the sender is
 *     not a store
 * @param said S3's error message
 * @param region the bucket's region, if the answer states it; empty otherwise
 * @param cure the other checksum mode, if a test request succeeded with it and failed in the
 *     present mode
 */
record RefusedRequest(
    RequestFailure request,
    int status,
    String code,
    String said,
    String region,
    @Nullable Checksums cure) {

  static RefusedRequest to(RequestFailure request, S3Exception answer, @Nullable Checksums cure) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return new RefusedRequest(
        request,
        answer.statusCode(),
        code(answer),
        details == null ? "" : Objects.requireNonNullElse(details.errorMessage(), ""),
        region(details),
        cure);
  }

  static String code(S3Exception answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    return details == null ? "" : Objects.requireNonNullElse(details.errorCode(), "");
  }

  private static String region(@Nullable AwsErrorDetails details) {
    return Optional.ofNullable(details)
        .map(AwsErrorDetails::sdkHttpResponse)
        .flatMap(http -> http.firstMatchingHeader("x-amz-bucket-region"))
        .orElse("");
  }

  boolean isPut() {
    return request.operation().equals("PUT");
  }

  boolean isSentWith(Checksums mode) {
    return request.settings().checksums() == mode;
  }

  boolean mentions(String words) {
    return said.toLowerCase(Locale.ROOT).contains(words);
  }

  /**
   * Returns whether the answer is not a store's. A proxy or another server gives no error code of
   * S3.
   */
  boolean isOfNoStore() {
    return code.isEmpty() && !request.operation().equals("HEAD");
  }

  /**
   * Returns whether the store may have refused the checksum, or its absence. Errors with a specific
   * meaning are excluded.
   */
  boolean mayBeAboutChecksums() {
    boolean unspecific =
        code.isEmpty()
            || code.equals("InvalidArgument")
            || code.equals("InvalidRequest")
            || code.equals("NotImplemented")
            || code.startsWith("MissingContent")
            || code.startsWith("Bad");
    return isPut() && unspecific && (status == 400 || status == 411 || status == 501);
  }
}
