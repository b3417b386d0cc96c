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

class ReadWallsTest {
  private static final Snapshot FIRST = Snapshot.parse("10:20:10,15");
  private static final Snapshot SECOND = Snapshot.parse("10:30:10,15,25");

  private final ReadWalls walls = new ReadWalls();

  @Test
  void theFirstReadAvoidsWhatIsInProgress() {
    assertThat(walls.of(FIRST)).isEqualTo(new Walls(FIRST));
  }

  @Test
  void oneThatFollowsAReadInVainAvoidsWhatWasInProgressThen() {
    walls.of(FIRST);
    walls.told(null);
    assertThat(walls.of(SECOND)).isEqualTo(new Walls(FIRST));
  }

  @Test
  void oneThatFollowsASlotAvoidsNothing() {
    walls.of(FIRST);
    walls.told(built());
    assertThat(walls.of(SECOND)).isEqualTo(Walls.NONE);
  }

  @Test
  void oneThatFollowsAReadThatFailedAvoidsWhatMayHaveBeenItsFault() {
    walls.of(FIRST);
    walls.told(built());
    walls.of(FIRST); // Throws before it can tell anything.
    assertThat(walls.of(SECOND)).isEqualTo(new Walls(FIRST));
  }

  private static Event.Built built() {
    Window window = new Window(FIRST, SECOND, true);
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, Compression.NONE);
    content.offer(new HandoffRow(1, 12, 0, null, "{}"));
    return new Event.Built(content.build(1, Origins.of("session"), window));
  }
}
