package dev.recorder.operate.orders;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * An operator's order to a host, as the host took it from the database.
 *
 * @param recorder the recorder that the order concerns; empty if it concerns all
 * @param argument as in {@link OrderRequest}
 * @param by the operator who gave the order
 */
public record MachineOrder(long id, OrderKind kind, String recorder, String argument, Operator by) {

  /** The columns of an order's row {@code o}, for {@link #of}. */
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
