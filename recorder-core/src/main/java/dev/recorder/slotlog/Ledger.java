package dev.recorder.slotlog;

import dev.recorder.slotlog.Event.LedgerEvent;

/**
 * Port: the database side of one term of one log. Called on one thread at a time. Answers instead
 * of throwing: a failure after which the outcome is unknown is {@link Event.DatabaseUnclear}.
 *
 * <p>Each conditional statement checks the term's epoch, its holder and the last slot in the same
 * statement that writes. This check is the fence, not the lease. All calls after a load use the
 * session of that load, or answer {@link Event.DatabaseUnclear}. Between two sessions a failover
 * may have led to a server that has lost history, where the same epoch, holder and slot mean
 * something else.
 */
public interface Ledger extends AutoCloseable {
  LedgerEvent load();

  LedgerEvent read(Effect.Read read);

  LedgerEvent plan(SlotContent content);

  LedgerEvent settle(Effect.Settle settle);

  LedgerEvent adopt(Effect.Adopt adopt);

  /** Releases the term's resources at its end. May be called on any thread, and more than once. */
  @Override
  default void close() {}
}
