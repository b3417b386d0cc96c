package dev.recorder.app.soak.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import dev.recorder.app.soak.Journal;
import dev.recorder.app.soak.Options;
import dev.recorder.app.soak.Report;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A third of a minute of the storm. */
@Timeout(600)
class RequestStormIT {
  private static final Duration LENGTH = Duration.ofSeconds(20);

  @Test
  void eachRequestTakesEffectOnceWhateverHappens() throws Exception {
    // Another schedule each time; the seed is in the output.
    long seed = System.currentTimeMillis() / 1_000;
    Journal journal = new Journal("storm", seed);
    Report report = null;
    try {
      report = new StormRun(new Options(LENGTH, seed), journal).run();
    } finally {
      journal.end(report != null && report.ok());
    }
    System.out.println(report.json());

    assertThat(report.ok()).as(report.json()).isTrue();
    assertThat(report.faults()).hasSizeGreaterThan(1);
    assertThat(report.figures().get("requests")).asInstanceOf(LONG).isGreaterThan(50);
    assertThat(report.figures().get("units")).asInstanceOf(LONG).isGreaterThan(10);
  }
}
