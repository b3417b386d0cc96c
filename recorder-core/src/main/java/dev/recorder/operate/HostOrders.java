package dev.recorder.operate;

import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Orders to drain a machine and such, in {@code host_orders}. */
public final class HostOrders extends OrderBook<HostOrder> {
  public HostOrders(SchemaNames schemas) {
    super(schemas, "host_orders", "wish, recorder");
  }

  /**
   * Asks; the order's number, or empty if too many wait or no machine has this name.
   *
   * @param recorder empty if it is about all
   */
  Optional<Long> ask(
      Connection connection, OrderHead head, HostOrder.HostWish wish, String recorder)
      throws SQLException {
    return ask(connection, head, row -> row.set("wish", wish.word()).set("recorder", recorder));
  }

  @Override
  HostOrder order(ResultSet row) throws SQLException {
    return new HostOrder(
        row.getLong("id"),
        HostOrder.HostWish.named(row.getString("wish")),
        row.getString("recorder"),
        asker(row));
  }
}
