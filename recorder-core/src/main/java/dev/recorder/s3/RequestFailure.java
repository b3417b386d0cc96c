package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.Unclear;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The message about a failed call: operation, key, bucket, HTTP status, S3's error code, and the
 * remedy of {@link RefusalDiagnosis} or {@link ConnectionDiagnosis}.
 *
 * <p>Only code and message of the server's error document are shown. The rest may contain the
 * signed text.
 *
 * @param operation such as {@code PUT}
 * @param rights the IAM actions that the call needs
 * @param bytes length of the request's body
 */
record RequestFailure(
    String operation, String rights, String key, long bytes, S3Settings settings) {

  Unclear of(S3Exception answer) {
    return refused(answer, null);
  }

  /**
   * Makes the failure for the server's answer, after a test of the checksum mode.
   *
   * @param cure see {@link RefusedRequest}
   */
  Unclear refused(S3Exception answer, @Nullable Checksums cure) {
    RefusedRequest heard = RefusedRequest.to(this, answer, cure);
    RefusalDiagnosis refusal = RefusalDiagnosis.of(heard);
    return new Unclear(
        what()
            + ": HTTP "
            + heard.status()
            + (heard.code().isEmpty() ? "" : " " + heard.code())
            + (heard.said().isEmpty() ? "" : " (" + heard.said() + ")")
            + (refusal.remedy().isEmpty() ? "" : "; " + refusal.remedy()),
        refusal.mayPass(),
        refusal.cause());
  }

  Unclear of(RuntimeException failure, Duration limit) {
    ConnectionDiagnosis none = ConnectionDiagnosis.of(failure, limit);
    return new Unclear(what() + ": " + none.why(), none.mayPass(), none.cause());
  }

  /** Makes the failure for a request that was not sent, for a reason that passes. */
  Unclear notSent(String why) {
    return new Unclear(what() + " was not sent: " + why, true);
  }

  private String what() {
    return operation + " of " + (key.isEmpty() ? "" : key + " in ") + "bucket " + settings.bucket();
  }
}
