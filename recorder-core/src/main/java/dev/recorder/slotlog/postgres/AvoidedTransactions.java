package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Decides which long transactions ({@link LongTransactions}) each read of a term avoids. The first
 * read avoids all that are in progress. Each later read avoids those that were in progress at the
 * read before, if that read built no slot. A failed read also counts as one that built no slot:
 * walking past the rows of these transactions may have taken too long, and would take as long
 * again. Pure; for one thread.
 */
final class AvoidedTransactions {
  private @Nullable LongTransactions next;

  /** Returns the transactions that the read which begins now avoids. */
  LongTransactions of(Snapshot now) {
    LongTransactions avoided = next == null ? new LongTransactions(now) : next;
    next = new LongTransactions(now);
    return avoided;
  }

  /** Notes the read's answer; null if there was no row. A failed read has no answer. */
  void told(@Nullable LedgerEvent answer) {
    if (answer instanceof Event.Built) {
      next = LongTransactions.NONE;
    }
  }
}
