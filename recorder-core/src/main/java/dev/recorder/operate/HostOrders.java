package dev.recorder.operate;

import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Orders to drain a machine and such, in {@code host_orders}: both ends of them, as {@link
 * OrderBook} has them.
 */
public final class HostOrders implements MachineOrders<HostOrder> {
  private final OrderBook book;

  public HostOrders(SchemaNames schemas) {
    this.book = new OrderBook(schemas, "host_orders", "wish, recorder");
  }

  @Override
  public boolean exist(Connection connection) throws SQLException {
    return book.exists(connection);
  }

  /**
   * Asks; the order's number, or empty if too many wait or no machine has this name.
   *
   * @param recorder empty if it is about all
   */
  Optional<Long> ask(Connection connection, OrderHead head, HostOrder.Wish wish, String recorder)
      throws SQLException {
    return book.ask(
        connection, head, row -> row.set("wish", wish.word()).set("recorder", recorder));
  }

  @Override
  public Optional<HostOrder> take(
      Connection connection, String machine, RdsManager.Identity identity) throws SQLException {
    return book.take(
        connection,
        machine,
        identity,
        row ->
            new HostOrder(
                row.getLong(1),
                HostOrder.Wish.named(row.getString(5)),
                row.getString(6),
                OrderBook.asker(row)));
  }

  @Override
  public boolean answer(Connection connection, long id, String json) throws SQLException {
    return book.answer(connection, id, json);
  }

  /** How an order stands; empty if it is gone, as after a restore of the database. */
  Optional<OrderBook.Standing> look(Connection connection, long id) throws SQLException {
    return book.look(connection, id);
  }

  /** Takes an order back; whether nobody had taken it, and now nobody will. */
  boolean withdraw(Connection connection, long id) throws SQLException {
    return book.withdraw(connection, id);
  }
}
