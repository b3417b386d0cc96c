package dev.recorder.operate.orders;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What an operator has ordered of a machine, as that took it from the database.
 *
 * @param recorder which one it is about; empty if it is about all
 * @param argument as in {@link OrderRequest}
 * @param by who asked
 */
public record MachineOrder(long id, OrderKind kind, String recorder, String argument, Operator by) {

  /** Columns of an order's row {@code o}, for {@link #of}. */
  static final String COLUMNS =
      """
      o.id, o.kind, o.recorder, o.argument, o.os_user, o.asked_by,
        coalesce(host(o.client_addr), 'local') AS client\
      """;

  static MachineOrder of(ResultSet row) throws SQLException {
    return new MachineOrder(
        row.getLong("id"),
        OrderKind.named(row.getString("kind")),
        row.getString("recorder"),
        row.getString("argument"),
        Operator.of(row));
  }
}
