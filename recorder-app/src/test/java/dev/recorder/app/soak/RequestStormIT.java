package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Quiet;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three quarters of a minute of the storm. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class RequestStormIT {
  private static final Duration LENGTH = Duration.ofSeconds(45);

  @BeforeEach
  void awaitTheOthers() throws InterruptedException {
    Quiet.breakIt();
  }

  @AfterEach
  void restoreQuiet() {
    Quiet.restore();
  }

  @Test
  void eachRequestTakesEffectOnceWhateverHappens() throws Exception {
    // Another schedule each time; the seed is in the output.
    long seed = System.currentTimeMillis() / 1_000;
    Journal journal = new Journal("storm", seed);
    StormReport report = null;
    try {
      report = new StormRun(new Options(LENGTH, seed), journal).run();
    } finally {
      journal.end(report != null && report.ok());
    }
    System.out.println(report.json());

    assertThat(report.ok()).as(report.json()).isTrue();
    assertThat(report.faults()).hasSizeGreaterThan(2);
    assertThat(report.found().requests()).isGreaterThan(500);
    assertThat(report.found().units()).isGreaterThan(100);
  }
}
