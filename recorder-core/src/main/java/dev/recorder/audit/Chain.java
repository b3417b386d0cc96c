package dev.recorder.audit;

import dev.recorder.audit.LogRecords.Settled;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the recorded position from slot to slot: each window must begin where the one before it
 * ended, and each slot must hold exactly its part of the window.
 */
final class Chain {
  private final LogRecords records;
  private final Settled settled;
  private final Tally tally;
  private final Suspects suspects;
  private final Kept kept;

  /** How far the slots so far reach; null while nothing is known of the slots before. */
  private @Nullable Position position;

  /** Whether a slot without a known window came since {@link #position}. */
  private boolean interrupted;

  Chain(LogRecords records, Settled settled, Tally tally, Suspects suspects) {
    this.records = records;
    this.settled = settled;
    this.tally = tally;
    this.suspects = suspects;
    this.kept = new Kept(records);
  }

  /**
   * The log's first slot begins at the beginning, and so does the first after a rebase; of another
   * one only its own rows are known.
   */
  void beginAt(long slot) {
    position = slot == settled.rebasedSlot() + 1 ? Position.START : null;
    interrupted = false;
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
    Position after = window.after(plan.last().xid(), plan.last().id());
    if (slot == settled.head().lastSlot()) {
      return after.equals(settled.head().position());
    }
    return records.plans(slot + 1).stream()
        .map(SlotPlan::window)
        .anyMatch(next -> next != null && continues(after, next));
  }

  /** A slot of which neither window nor rows are known. */
  void followUnplanned(long slot, List<RecordedLine> lines) {
    if (isForeign(slot)) {
      return;
    }
    suspects.unplanned(slot, lines);
    interrupted = true;
  }

  /** Whether the slot's windows and rows have another server's numbers. */
  private boolean isForeign(long slot) {
    return slot <= settled.rebasedSlot();
  }

  /** A slot that should be there, or should be readable, and is not. */
  void followAbsent(long slot, SlotPlan plan) {
    if (isForeign(slot)) {
      long rows = plan.extent().rows();
      tally.lost(rows, "slot " + slot + " is gone with " + rows + " rows");
      return;
    }
    Comparison comparison = compare(slot, plan, List.of());
    long uncounted = plan.extent().rows() - comparison.missing();
    if (uncounted > 0) {
      tally.lost(
          uncounted,
          "slot " + slot + " is gone with " + uncounted + " rows that the hand-off has not either");
    }
  }

  /** A slot with its lines. */
  void follow(long slot, SlotPlan plan, List<RecordedLine> lines) {
    if (isForeign(slot)) {
      return;
    }
    Comparison comparison = compare(slot, plan, lines);
    tally.compared += comparison.matched();
    // An adopted object may hold rows of a history that this database has lost.
    if (plan.window() != null) {
      kept.withRows(comparison.surplus()).forEach(line -> suspects.surplus("slot " + slot, line));
    }
  }

  private Comparison compare(long slot, SlotPlan plan, List<RecordedLine> lines) {
    Comparison comparison = new Comparison("slot " + slot, lines, suspects);
    Window window = plan.window();
    if (window == null) {
      records.excludedBy(slot, comparison);
    } else {
      RowKey last = plan.last();
      Position begin = begin(slot, plan, window);
      records.rows(begin, window.to(), window.complete() ? null : last, comparison);
      position = window.after(last.xid(), last.id());
      interrupted = false;
    }
    return comparison;
  }

  private Position begin(long slot, SlotPlan plan, Window window) {
    Position before = position;
    if (before == null) {
      RowKey first = plan.first();
      return new Position(window.from(), window.to(), first.xid(), first.id() - 1);
    }
    if (continues(before, window)) {
      return before;
    }
    Position begin = Position.doneUpTo(window.from());
    long missing = findMissing("a slot before " + slot, before, begin);
    // What was left of an open window may since have turned out to be in an adopted object.
    Snapshot open = before.open();
    boolean nothingWasLeft = open != null && open.equals(window.from()) && missing == 0;
    if (!interrupted && !nothingWasLeft) {
      tally.gap(
          "slot "
              + slot
              + " begins at "
              + window.from()
              + ", the slots before it end at "
              + before);
    }
    return begin;
  }

  /** Compares where the slots end with what the database says is recorded. */
  void finish() {
    Position end = position;
    Position recorded = settled.head().position();
    if (end == null || end.equals(recorded)) {
      return;
    }
    findMissing("a slot up to " + settled.head().lastSlot(), end, recorded);
    if (!interrupted) {
      tally.gap("the slots end at " + end + ", the database says they end at " + recorded);
    }
  }

  private static boolean continues(Position position, Window window) {
    Snapshot open = position.open();
    return position.done().equals(window.from()) && (open == null || open.equals(window.to()));
  }

  /** Reports the rows that {@code to} covers and {@code from} does not; returns how many. */
  private long findMissing(String place, Position from, Position to) {
    Snapshot rest = from.open();
    Snapshot part = to.open();
    if (!from.isCoveredBy(part == null ? to.done() : part)) {
      return 0; // It runs backwards: nothing is missing, rows will be found twice.
    }
    Comparison comparison = new Comparison(place, List.of(), suspects);
    Position reached = from;
    RowKey last = new RowKey(to.openXid(), to.openId());
    if (rest != null && part != null && rest.equals(part) && from.done().equals(to.done())) {
      records.rows(from, rest, last, comparison);
      return comparison.missing();
    }
    if (rest != null) {
      records.rows(from, rest, null, comparison);
      reached = Position.doneUpTo(rest);
    }
    if (reached.isCoveredBy(to.done())) {
      records.rows(reached, to.done(), null, comparison);
      reached = Position.doneUpTo(to.done());
    }
    if (part != null) {
      records.rows(reached, part, last, comparison);
    }
    return comparison.missing();
  }
}
