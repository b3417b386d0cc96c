package dev.recorder.operate;

import dev.recorder.postgres.DatabaseException;
import java.util.Optional;

/**
 * Where operators ask machines to read their files again. On the session of the {@link Inspection}
 * that it is of. Its methods throw {@link DatabaseException}.
 */
public final class ReloadDesk {
  private final Asking session;
  private final ReloadOrders orders;

  ReloadDesk(Asking session, ReloadOrders orders) {
    this.session = session;
    this.orders = orders;
  }

  /** Whether there is a table for it; an administrator makes it by {@code recorder schema}. */
  public boolean isThere() {
    return session.ask(orders::exist);
  }

  /**
   * Asks a machine to read its file again, on the session that it has now.
   *
   * @return the order's number; empty if no machine has the name, or too many orders wait for it
   */
  public Optional<Long> order(ReloadOrders.Wanted wanted) {
    return session.ask(c -> orders.ask(c, wanted));
  }

  /** How an order stands; empty if it is not there any more. */
  public Optional<OrderBook.Standing> look(long id) {
    return session.ask(c -> orders.look(c, id));
  }

  /** Takes an order back; whether nobody had taken it, so that nobody will. */
  public boolean withdraw(long id) {
    return session.ask(c -> orders.withdraw(c, id));
  }
}
