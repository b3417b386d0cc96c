package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A primary with two secondaries. */
@Tag("nightly")
@Timeout(900)
class ThreeHostsIT {
  private static final Duration AFTER_DEATH = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = new Story();

  @Test
  void oneAfterTheOtherTakesOver() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    Host b = story.cluster().host("host-b", false, Particulars.PATIENT);
    Host c = story.cluster().host("host-c", false, Particulars.PATIENT);
    story.begin(a, b, c);

    a.kill();
    LogState second =
        story
            .observer()
            .await("a successor", AFTER_DEATH, s -> s.isWorking("host-b") || s.isWorking("host-c"));
    Host successor = second.holder().equals("host-b") ? b : c;
    Host last = successor == b ? c : b;
    story.awaitNextSlot();
    successor.kill();
    story.observer().awaitWorking(last, AFTER_DEATH);

    assertThat(story.observer().takeovers())
        .extracting(Takeover::to)
        .containsExactly("host-a", successor.name(), last.name());
    assertThat(story.observer().takeovers())
        .extracting(Takeover::epoch)
        .containsExactly(1L, 2L, 3L);
    story.end();
  }
}
