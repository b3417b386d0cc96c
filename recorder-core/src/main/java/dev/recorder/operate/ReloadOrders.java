package dev.recorder.operate;

import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Orders to reload, in {@code reload_orders}. */
public final class ReloadOrders extends OrderBook<ReloadOrder> {
  public ReloadOrders(SchemaNames schemas) {
    super(schemas, "reload_orders", "dry_run, file");
  }

  /**
   * Asks; the order's number, or empty if too many wait or no machine has this name.
   *
   * @param file as the machine knows it
   */
  Optional<Long> ask(Connection connection, OrderHead head, boolean dryRun, String file)
      throws SQLException {
    return ask(connection, head, row -> row.set("dry_run", dryRun).set("file", file));
  }

  @Override
  ReloadOrder order(ResultSet row) throws SQLException {
    return new ReloadOrder(
        row.getLong("id"), row.getBoolean("dry_run"), row.getString("file"), asker(row));
  }
}
