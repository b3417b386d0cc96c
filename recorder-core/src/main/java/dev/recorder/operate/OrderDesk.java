package dev.recorder.operate;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.util.Optional;

/**
 * Where operators leave orders of one sort to machines, and follow them. On the session of the
 * {@link Inspection} that it is of. Its methods throw {@link DatabaseException}.
 *
 * @param <T> an order
 */
public abstract class OrderDesk<T extends MachineOrders.Numbered> {
  private final Asking session;
  private final OrderBook<T> orders;

  OrderDesk(Asking session, OrderBook<T> orders) {
    this.session = session;
    this.orders = orders;
  }

  /** How an order stands; empty if it is no longer there. */
  public final Optional<OrderBook.OrderStanding> look(long id) {
    return ask(c -> orders.look(c, id));
  }

  /** What the machine is at, as it carries out one order after the other. */
  public final Optional<T> underWay(String machine) {
    return ask(c -> orders.underWay(c, machine));
  }

  /** Takes an order back; whether nobody had taken it, so that nobody will. */
  public final boolean withdraw(long id) {
    return ask(c -> orders.withdraw(c, id));
  }

  final <A> A ask(SqlFunction<Connection, A> question) {
    return session.ask(question);
  }
}
