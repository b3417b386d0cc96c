package dev.recorder.audit.schedule;

import dev.recorder.audit.LogRecords;
import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.schedule.VerdictStore.Noted;
import java.util.List;

/** With which slot a verification on a schedule begins, by what is recorded; asks nothing else. */
record ScheduledBeginning(LogRecords records, SettledLog settled) {

  /** Where to go on, by what the last verdict has left. */
  long after(Noted noted) {
    long first = settled.head().firstSlot();
    if (noted.asked() > 0) {
      return first;
    }
    long plansFrom = records.plansFrom();
    if (!isOfThisLog(noted)) {
      // Those before have no row left to be compared with, and may be very many.
      return Math.max(first, plansFrom);
    }
    long next = Math.max(noted.next(), first);
    return next < plansFrom ? next : known(next, plansFrom);
  }

  /** What was proved of a log says nothing of it once its rows have other numbers. */
  private boolean isOfThisLog(Noted noted) {
    return noted.next() > 0
        && settled.log().equals(noted.log())
        && settled.rebasedSlot() == noted.rebasedSlot()
        && noted.next() <= Math.max(settled.head().lastSlot(), 1);
  }

  /**
   * The last slot up to this one of which it is known where it begins. Of one that was planned
   * twice it is not before its object was read, and until then all rows would be held against it.
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
