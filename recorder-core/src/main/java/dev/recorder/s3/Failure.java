package dev.recorder.s3;

import dev.recorder.s3.S3Settings.Checksums;
import dev.recorder.store.ObjectStore.Unclear;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What an operator is told when a call failed: operation, key, bucket, HTTP status, S3's error
 * code, and what to do about it, as {@link Refusal} and {@link NoAnswer} know.
 *
 * <p>Of the server's error document only code and message are shown. The rest may hold what was
 * signed.
 *
 * @param operation such as {@code PUT}
 * @param rights the IAM actions it needs
 * @param bytes length of its body
 */
record Failure(String operation, String rights, String key, long bytes, S3Settings settings) {

  /** For an answer from the server. */
  Unclear of(S3Exception answer) {
    return refused(answer, null);
  }

  /**
   * The same, where it was tried what the store makes of checksums.
   *
   * @param cure see {@link StoreAnswer}
   */
  Unclear refused(S3Exception answer, @Nullable Checksums cure) {
    StoreAnswer heard = StoreAnswer.to(this, answer, cure);
    Refusal refusal = Refusal.of(heard, settings.region());
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

  /** For lack of an answer. */
  Unclear of(RuntimeException failure, Duration limit) {
    NoAnswer none = NoAnswer.of(failure, limit);
    return new Unclear(what() + ": " + none.why(), none.mayPass(), none.cause());
  }

  private String what() {
    return operation + " of " + (key.isEmpty() ? "" : key + " in ") + "bucket " + settings.bucket();
  }
}
