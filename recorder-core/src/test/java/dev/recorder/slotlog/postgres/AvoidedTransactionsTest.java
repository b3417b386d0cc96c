package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.testing.Origins;
import org.junit.jupiter.api.Test;

class AvoidedTransactionsTest {
  private static final Snapshot FIRST = Snapshot.parse("10:20:10,15");
  private static final Snapshot SECOND = Snapshot.parse("10:30:10,15,25");

  private final AvoidedTransactions avoided = new AvoidedTransactions();

  @Test
  void theFirstReadAvoidsWhatIsInProgress() {
    assertThat(avoided.of(FIRST)).isEqualTo(new LongTransactions(FIRST));
  }

  @Test
  void oneThatFollowsAReadInVainAvoidsWhatWasInProgressThen() {
    avoided.of(FIRST);
    avoided.told(null);
    assertThat(avoided.of(SECOND)).isEqualTo(new LongTransactions(FIRST));
  }

  @Test
  void oneThatFollowsASlotAvoidsNothing() {
    avoided.of(FIRST);
    avoided.told(built());
    assertThat(avoided.of(SECOND)).isEqualTo(LongTransactions.NONE);
  }

  @Test
  void oneThatFollowsAReadThatFailedAvoidsWhatMayHaveBeenItsFault() {
    avoided.of(FIRST);
    avoided.told(built());
    avoided.of(FIRST); // Throws before it can tell anything.
    assertThat(avoided.of(SECOND)).isEqualTo(new LongTransactions(FIRST));
  }

  private static Event.Built built() {
    Window window = new Window(FIRST, SECOND, true);
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, Compression.NONE);
    content.offer(new HandoffRow(1, 12, 0, null, "{}"));
    return new Event.Built(content.build(1, Origins.of("session"), Origins.READ_AT, window));
  }
}
