package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SendingTimeTest {
  @TempDir private Path folder;

  @Test
  void anObjectThatIsRotatedTooLateToBeSentInTimeIsAWarning() {
    minimal()
        .with("recorder:orders", "rotate_bytes = 64MiB")
        .says(
            "rotate_bytes = 64MiB",
            "warning: an object of rotate_bytes 64MiB takes 68 s at 1 MB/s, and s3_attempt_timeout"
                + " is 30s: over such a connection it is never written, nor is what comes after it; help:"
                + " write s3_attempt_timeout of at least 68s, or rotate_bytes smaller");
  }

  @Test
  void soIsARowThatIsTooLargeToBeSentInTime() {
    minimal()
        .with("recorder:orders", "max_payload = 32MiB")
        .saysFirst("max_payload = 32MiB", "warning: an object of max_payload 32MiB");
  }

  @Test
  void aTimeoutThatIsTooShortForTheDefaultsIsNamedOnItsLineOnceForAllRecorders() {
    minimal()
        .with("timing", "s3_attempt_timeout = 16s")
        .with("recorder:events", "lockid = 2", "primary = true")
        .saysFirst("s3_attempt_timeout = 16s", "warning: an object of max_payload 16MiB");
  }

  @Test
  void whatJustFitsIsFine() {
    assertThat(
            minimal()
                .with("timing", "s3_attempt_timeout = 68s")
                .with("recorder:orders", "rotate_bytes = 64MiB")
                .findings())
        .isEmpty();
  }

  @Test
  void documentsAreNotRotated() {
    assertThat(
            minimal()
                .with("timing", "s3_attempt_timeout = 4s")
                .without("recorder:orders")
                .with("recorder:carts", "lockid = 1", "kind = requests", "max_payload = 2MiB")
                .findings())
        .isEmpty();
  }

  private TestIni minimal() {
    return TestIni.minimal(folder);
  }
}
