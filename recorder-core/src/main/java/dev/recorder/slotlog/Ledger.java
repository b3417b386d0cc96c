package dev.recorder.slotlog;

import dev.recorder.slotlog.Event.LedgerEvent;

/**
 * Port: the database side of one term of one log. Called on one thread at a time. Answers instead
 * of throwing: a failure after which the outcome is unknown is {@link Event.DatabaseUnclear}.
 *
 * <p>Each conditional statement holds the row to the term's epoch and holder and to the last slot,
 * in the same statement that writes: that, not the lease, is what fences. And all that follows a
 * load goes over the session of that load, or is {@link Event.DatabaseUnclear}: across sessions
 * there may have been failovers, to a server that has lost history and where the same epoch, holder
 * and slot stand for something else.
 */
public interface Ledger extends AutoCloseable {
  LedgerEvent load();

  LedgerEvent read(Effect.Read read);

  LedgerEvent plan(SlotContent content);

  LedgerEvent settle(Effect.Settle settle);

  LedgerEvent adopt(Effect.Adopt adopt);

  /** The term is over: gives back what was held for it. For any thread; may be called again. */
  @Override
  default void close() {}
}
