package dev.recorder.operate;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.util.Optional;

/**
 * Where operators ask machines to be drained and such. On the session of the {@link Inspection}
 * that it is of. Its methods throw {@link DatabaseException}.
 */
public final class HostDesk {
  private final Asking session;
  private final HostOrders orders;

  HostDesk(Asking session, HostOrders orders) {
    this.session = session;
    this.orders = orders;
  }

  /** Whether there is a table for it; an administrator makes it by {@code recorder schema}. */
  public boolean isThere() {
    return ask(orders::exist);
  }

  /**
   * Asks a machine for something, on the session that it has now.
   *
   * @param recorder which one it is about; empty if it is about all
   * @return the order's number; empty if no machine has the name, or too many orders wait for it
   */
  public Optional<Long> order(OrderHead head, HostOrder.Wish wish, String recorder) {
    return ask(c -> orders.ask(c, head, wish, recorder));
  }

  /** How an order stands; empty if it is not there any more. */
  public Optional<OrderBook.Standing> look(long id) {
    return ask(c -> orders.look(c, id));
  }

  /** What the machine is at, as it carries out one order after the other. */
  public Optional<HostOrder> underWay(String machine) {
    return ask(c -> orders.underWay(c, machine));
  }

  /** Takes an order back; whether nobody had taken it, so that nobody will. */
  public boolean withdraw(long id) {
    return ask(c -> orders.withdraw(c, id));
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    return session.ask(question);
  }
}
