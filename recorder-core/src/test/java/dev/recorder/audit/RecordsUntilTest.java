package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContent.Extent;
import dev.recorder.testing.Origins;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordsUntilTest {
  private static final UUID LOG = new UUID(0, 1);
  private static final Window WINDOW =
      new Window(Snapshot.parse("5:5:"), Snapshot.parse("9:9:"), true);

  /** A log of nine slots, whose fifth has these plans. */
  private record Records(List<SlotPlan> plans, long plansFrom) implements LogRecords {
    @Override
    public SettledLog settled() {
      Position position = Position.doneUpTo(Snapshot.parse("50:50:"));
      LogHead head = new LogHead(9, 1, LogChain.of(LOG), position);
      return new SettledLog(LOG, head, null, 0, BlockRanges.of(List.of()), List.of());
    }

    @Override
    public List<SlotPlan> plans(long slot) {
      return plans;
    }

    @Override
    public OptionalLong slotOf(RowKey row) {
      return OptionalLong.empty();
    }

    @Override
    public String remedy(List<RowKey> lost) {
      return "";
    }
  }

  private static SlotPlan plan(String sha, @Nullable Window window) {
    return new SlotPlan(sha, window, new Extent(1, 5, 1, 5, 1), 100);
  }

  private static RecordsUntil records(long plansFrom, SlotPlan... plans) {
    ObjectMetadata end =
        new ObjectMetadata(
            "orders", LOG, 5, 1, "a", 1, "sha", Origins.CHAIN, null, null, Origins.READ_AT);
    return new RecordsUntil(new Records(List.of(plans), plansFrom), end);
  }

  private static LogHead headWith(SlotPlan... plans) {
    return records(1, plans).settled().head();
  }

  @Test
  void anEndWhosePlansAreClearedHasNone() {
    assertThat(records(3).plansFrom()).isEqualTo(3);
    assertThat(records(6).plansFrom()).isEqualTo(6);
    assertThat(records(9).plansFrom()).isEqualTo(6);
  }

  @Test
  void theLogEndsWithTheWindowOfTheContentThatIsThere() {
    LogHead head = headWith(plan("other", null), plan("sha", WINDOW));

    assertThat(head.lastSlot()).isEqualTo(5);
    assertThat(head.position()).isEqualTo(Position.doneUpTo(WINDOW.to()));
  }

  @Test
  void whereAllRowsAreClearedNoneIsDue() {
    assertThat(headWith().position()).isEqualTo(Position.START);
  }

  /** Else no row would be due, and none that is lost would be missed. */
  @Test
  void aSlotWhoseWindowIsNotKnownIsNoEnd() {
    assertThatThrownBy(() -> headWith(plan("sha", null)))
        .isInstanceOf(UnfinishedException.class)
        .hasMessageContaining("slot 5 was adopted by its rows");
  }
}
