package dev.recorder.audit;

import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the recorded position from slot to slot: each window must begin where the one before it
 * ended.
 */
final class SlotWindows {
  private final LogRecords records;
  private final SettledLog settled;
  private final LogGaps holes;

  /** How far the slots so far reach; null while nothing is known of the slots before. */
  private @Nullable Position position;

  /** From where on all is known; null while that is nowhere. */
  private @Nullable Position beginning;

  /** Whether a slot without a known window came since {@link #position}. */
  private boolean interrupted;

  SlotWindows(LogRecords records, SettledLog settled, LogGaps holes) {
    this.records = records;
    this.settled = settled;
    this.holes = holes;
  }

  /**
   * The log's first slot begins at the beginning, and so does the first after a rebase; of another
   * one only its own rows are known.
   */
  void beginAt(long slot) {
    position = slot == settled.rebasedSlot() + 1 ? Position.START : null;
    beginning = position;
    interrupted = false;
  }

  /** Where the part of the log begins that is known without a break; null if there is none. */
  @Nullable Position beginning() {
    return beginning;
  }

  /** Which of {@code plans} was settled, told without the object; null if that cannot be told. */
  @Nullable SlotPlan choose(long slot, List<SlotPlan> plans) {
    if (plans.size() == 1) {
      return plans.get(0);
    }
    return plans.stream().filter(plan -> leadsOn(slot, plan)).findFirst().orElse(null);
  }

  private boolean leadsOn(long slot, SlotPlan plan) {
    Window window = plan.window();
    if (window == null || (position != null && !continues(position, window))) {
      return false;
    }
    Position after = after(plan, window);
    if (slot == settled.head().lastSlot()) {
      return after.equals(settled.head().position());
    }
    return records.plans(slot + 1).stream()
        .map(SlotPlan::window)
        .anyMatch(next -> next != null && continues(after, next));
  }

  /** Goes on over a slot of which neither window nor rows are known. */
  void followUnplanned() {
    interrupted = true;
  }

  /** Goes on over a slot; gives what it should hold, or null if only its exclusions tell. */
  @Nullable Stretch follow(long slot, SlotPlan plan) {
    Window window = plan.window();
    if (window == null) {
      return null;
    }
    Position begin = begin(slot, plan, window);
    Position end = after(plan, window);
    position = end;
    interrupted = false;
    if (beginning == null) {
      beginning = begin;
    }
    return new Stretch(begin, end);
  }

  private Position begin(long slot, SlotPlan plan, Window window) {
    Position before = position;
    if (before == null) {
      return firstBegin(plan, window);
    }
    if (continues(before, window)) {
      return before;
    }
    Position begin = Position.doneUpTo(window.from());
    if (!interrupted) {
      String finding =
          "slot " + slot + " begins at " + window.from() + ", the slots before it end at " + before;
      Snapshot open = before.open();
      if (open != null && open.equals(window.from())) {
        // What was left of an open window may since have turned out to be in an adopted object.
        holes.gapIfRowsAreIn(new Stretch(before, begin), finding);
      } else {
        holes.gap(finding);
      }
    }
    return begin;
  }

  /** Where a slot begins of whose predecessors nothing is known. */
  static Position firstBegin(SlotPlan plan, Window window) {
    RowKey first = plan.first();
    return new Position(window.from(), window.to(), first.xid(), first.id() - 1);
  }

  /** Compares where the slots end with what the database says is recorded. */
  void finish() {
    Position recorded = settled.head().position();
    if (position != null && !position.equals(recorded) && !interrupted) {
      holes.gap("the slots end at " + position + ", the database says they end at " + recorded);
    }
  }

  private static Position after(SlotPlan plan, Window window) {
    return window.after(plan.last().xid(), plan.last().id());
  }

  private static boolean continues(Position position, Window window) {
    Snapshot open = position.open();
    return position.done().equals(window.from()) && (open == null || open.equals(window.to()));
  }
}
