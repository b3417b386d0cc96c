package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That the soak can fail. */
@Tag("long")
@Timeout(600)
class SpoiltSoakIT {
  @Test
  void rowsThatWereClearedBeforeTheyWereRecordedAreFoundOut() throws Exception {
    long seed = System.currentTimeMillis() / 1_000;
    try (Journal journal = new Journal("spoilt-soak", seed)) {
      Options options = new Options(Duration.ofSeconds(1), seed);

      Report report = new SoakRun(options, journal, Spoiling.UNPROVED_CLEARING).run();

      assertThat(report.ok()).as(report.json()).isFalse();
      assertThat((long) report.figures().get("lost")).as(report.json()).isPositive();
    }
  }
}
