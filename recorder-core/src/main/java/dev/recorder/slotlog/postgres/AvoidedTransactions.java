package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Which long transactions the reads of a term avoid, one after the other ({@link
 * LongTransactions}): the first one all that are in progress, the others those that were when the
 * read before built no slot. One that failed counts as such, as it may have been the walk past them
 * that took too long: the same walk would take as long each time. Pure; for one thread.
 */
final class AvoidedTransactions {
  private @Nullable LongTransactions next;

  /** What the read that begins now avoids. */
  LongTransactions of(Snapshot now) {
    LongTransactions avoided = next == null ? new LongTransactions(now) : next;
    next = new LongTransactions(now);
    return avoided;
  }

  /** What came of it; null if there was no row. A read that fails has no answer. */
  void told(@Nullable LedgerEvent answer) {
    if (answer instanceof Event.Built) {
      next = LongTransactions.NONE;
    }
  }
}
