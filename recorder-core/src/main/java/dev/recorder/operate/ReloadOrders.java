package dev.recorder.operate;

import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Orders to reload, in {@code reload_orders}. */
public final class ReloadOrders extends OrderBook<ReloadOrder> {
  public ReloadOrders(SchemaNames schemas) {
    super(schemas, "reload_orders", "dry_run, file");
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
    return ask(
        connection,
        new OrderHead(wanted.machine(), wanted.takeWithin(), wanted.osUser()),
        row -> row.set("dry_run", wanted.dryRun()).set("file", wanted.file()));
  }

  @Override
  ReloadOrder order(ResultSet row) throws SQLException {
    return new ReloadOrder(row.getLong(1), row.getBoolean(5), row.getString(6), asker(row));
  }
}
