package dev.recorder.audit.schedule;

import dev.recorder.audit.LogRecords;
import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.schedule.VerdictStore.Noted;
import java.util.List;

/** Determines the first slot of a scheduled verification, from the database's records only. */
record ScheduledBeginning(LogRecords records, SettledLog settled) {

  /** Returns the first slot, given the last verdict. */
  long after(Noted noted) {
    long first = settled.head().firstSlot();
    if (noted.asked() > 0) {
      return first;
    }
    long plansFrom = records.plansFrom();
    if (!isOfThisLog(noted)) {
      // Earlier slots have no rows left to compare, and may be very many.
      return Math.max(first, plansFrom);
    }
    long next = Math.max(noted.next(), first);
    return next < plansFrom ? next : known(next, plansFrom);
  }

  /**
   * Whether the last verdict applies to this log; it does not if a rebase has renumbered the rows
   * since.
   */
  private boolean isOfThisLog(Noted noted) {
    return noted.next() > 0
        && settled.log().equals(noted.log())
        && settled.rebasedSlot() == noted.rebasedSlot()
        && noted.next() <= Math.max(settled.head().lastSlot(), 1);
  }

  /**
   * Returns the last slot up to this one whose beginning is known. The beginning of a slot that was
   * planned twice is unknown until its object is read; until then all rows would have to be
   * compared with it.
   */
  private long known(long slot, long plansFrom) {
    long least = Math.max(settled.head().firstSlot(), plansFrom);
    long known = slot;
    while (known > least && !hasKnownWindow(known)) {
      known--;
    }
    return known;
  }

  private boolean hasKnownWindow(long slot) {
    List<SlotPlan> plans = records.plans(slot);
    return plans.size() == 1 && plans.get(0).window() != null;
  }
}
