package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import dev.recorder.testing.Origins;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which slots that a database never planned it can have lost. */
class LossSignsTest {
  private static final RecorderName ORDERS = new RecorderName("orders");

  @Test
  void aPromotedServerCanHaveLostWhatItsPredecessorWrote() {
    assertThat(refusal(onTimeline(2), onTimeline(1), onTimeline(1))).isEmpty();
  }

  /** Also where it has settled no slot of its own, and so stands on no timeline yet. */
  @Test
  void whatALaterTimelineWroteWasNeverTheFormerServers() {
    assertThat(refusal(onTimeline(1), onTimeline(1).beforeItsFirstSlot(), onTimeline(2)))
        .contains("two databases write one log");
  }

  @Test
  void whatALaterTimelineWroteIsRefusedAlsoIfTheSameRowsWerePlannedHere() {
    assertThat(refusal(true, onTimeline(1), onTimeline(1), onTimeline(2)))
        .contains("on timeline 2; this server is on timeline 1", "two databases write one log");
  }

  /**
   * Both may have planned the same content, so that one settles what the other wrote as its own.
   */
  @Test
  void whatAnEarlierTimelineWroteCanBeLostWhateverWasSettledSince() {
    assertThat(refusal(onTimeline(2), onTimeline(2), onTimeline(1))).isEmpty();
  }

  @Test
  void timelinesOfAnotherClusterAreNotCompared() {
    DatabaseIdentity upgraded = new DatabaseIdentity("db:5432/app", 8, 5, 1);

    assertThat(refusal(upgraded, onTimeline(4), onTimeline(4))).isEmpty();
  }

  private static DatabaseIdentity onTimeline(long timeline) {
    return new DatabaseIdentity("db:5432/app", 7, 5, timeline);
  }

  private static String refusal(
      DatabaseIdentity here, DatabaseIdentity settledBy, DatabaseIdentity writer) {
    return refusal(false, here, settledBy, writer);
  }

  private static String refusal(
      boolean planned, DatabaseIdentity here, DatabaseIdentity settledBy, DatabaseIdentity writer) {
    ObjectMetadata object =
        new ObjectMetadata(
            "orders",
            new UUID(0, 1),
            3,
            1,
            "host-a",
            1,
            "aa",
            Origins.CHAIN,
            writer,
            null,
            Origins.READ_AT);
    return new LossSigns(here, settledBy, List.of(settledBy), planned, false, false)
        .refusal(ORDERS, object);
  }
}
