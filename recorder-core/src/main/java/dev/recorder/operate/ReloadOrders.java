package dev.recorder.operate;

import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Orders to reload, in {@code reload_orders}: both ends of them, as {@link OrderBook} has them. */
public final class ReloadOrders implements MachineOrders<ReloadOrder> {
  private final OrderBook book;

  public ReloadOrders(SchemaNames schemas) {
    this.book = new OrderBook(schemas, "reload_orders", "dry_run, file");
  }

  @Override
  public boolean exist(Connection connection) throws SQLException {
    return book.exists(connection);
  }

  /**
   * What is asked.
   *
   * @param file as the machine is to know it
   * @param takeWithin after that the machine does not take the order any more; up to an hour
   * @param osUser who asks, by their own account
   */
  public record Wanted(
      String machine, boolean dryRun, String file, Duration takeWithin, String osUser) {}

  /** Asks; the order's number, or empty if too many wait or no machine has this name. */
  Optional<Long> ask(Connection connection, Wanted wanted) throws SQLException {
    return book.ask(
        connection,
        new OrderHead(wanted.machine(), wanted.takeWithin(), wanted.osUser()),
        row -> row.set("dry_run", wanted.dryRun()).set("file", wanted.file()));
  }

  @Override
  public Optional<ReloadOrder> take(
      Connection connection, String machine, RdsManager.Identity identity) throws SQLException {
    return book.take(
        connection,
        machine,
        identity,
        row ->
            new ReloadOrder(
                row.getLong(1), row.getBoolean(5), row.getString(6), OrderBook.asker(row)));
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
