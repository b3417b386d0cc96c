package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PostgreSQL dies and comes back on the same files. */
@Timeout(120)
class DatabaseDownIT {
  private static final Duration BACK_WITHIN = Duration.ofSeconds(30);

  @RegisterExtension private final Story story = Story.withOwnDatabase();

  @Test
  void killedAndStartedAgainItFindsTheLogWhereItWas() throws Exception {
    Host a = story.cluster().host("host-a", true);
    Host b = story.cluster().host("host-b", false);
    story.begin(a, b);

    story.postgres().kill();
    Thread.sleep(2_000);
    story.postgres().restart();

    LogState back =
        story
            .observer()
            .await(
                "a new term at work",
                BACK_WITHIN,
                state -> state.epoch() == 2 && state.lastSlot() > state.slotAtTakeover());
    assertThat(back.epoch()).isEqualTo(2);
    story.observer().awaitReady(a, BACK_WITHIN);
    story.observer().awaitReady(b, BACK_WITHIN);
    story.end();
  }
}
