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
 * Follows the recorded position from slot to slot: each window must begin where the previous one
 * ended.
 */
final class SlotWindows {
  private final LogRecords records;
  private final SettledLog settled;
  private final LogGaps holes;

  /** The position at the end of the slots so far; null if unknown. */
  private @Nullable Position position;

  /** The position from which on all slots are known; null if there is none. */
  private @Nullable Position beginning;

  /** Whether a slot without a known window has come since {@link #position} was set. */
  private boolean interrupted;

  SlotWindows(LogRecords records, SettledLog settled, LogGaps holes) {
    this.records = records;
    this.settled = settled;
    this.holes = holes;
  }

  /**
   * Begins at a slot. The log's first slot, and the first one after a rebase, begin at the start;
   * for another slot only its own rows are known.
   */
  void beginAt(long slot) {
    position = slot == settled.rebasedSlot() + 1 ? Position.START : null;
    beginning = position;
    interrupted = false;
  }

  /**
   * Returns the beginning of the part of the log that is known without a break; null if there is
   * none.
   */
  @Nullable Position beginning() {
    return beginning;
  }

  /**
   * Returns which of {@code plans} was settled, determined without the object; null if this is
   * unknown.
   */
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

  /** Passes a slot whose window and rows are unknown. */
  void followUnplanned() {
    interrupted = true;
  }

  /**
   * Passes a slot; returns the stretch of rows that it should hold, or null if only exclusions
   * determine them.
   */
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
        // The rest of an open window may meanwhile be in an adopted object.
        holes.gapIfRowsAreIn(new Stretch(before, begin), finding);
      } else {
        holes.gap(finding);
      }
    }
    return begin;
  }

  /** Returns the beginning of a slot whose predecessors are unknown. */
  static Position firstBegin(SlotPlan plan, Window window) {
    RowKey first = plan.first();
    return new Position(window.from(), window.to(), first.xid(), first.id() - 1);
  }

  /** Compares the end of the slots with the recorded position in the database. */
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
