package dev.recorder.operate.orders;

import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Operators' orders to hosts, from the side of the host that carries them out. */
public final class MachineOrders {
  private final SchemaNames schemas;
  private final Sql take;
  private final Sql answer;

  public MachineOrders(SchemaNames schemas) {
    this.schemas = schemas;
    this.take = Sql.in(schemas, TAKE, Map.of("columns", MachineOrder.COLUMNS));
    this.answer = Sql.in(schemas, ANSWER);
  }

  /** The table's name for messages. */
  public String table() {
    return schemas.table("operator_orders");
  }

  private static final String TAKE =
      """
      UPDATE {operator_orders} o SET state = 'taken', taken_at = clock_timestamp()
      WHERE state = 'new' AND id = (
        SELECT id FROM {operator_orders}
        WHERE state = 'new' AND machine = :machine AND kind = ANY(:kinds)
          AND pid = :pid AND backend_start = :backendStart::timestamptz
          AND pid = pg_backend_pid()
          AND clock_timestamp() < asked_at + take_within_ms * interval '1 millisecond'
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING {columns}
      """;

  /**
   * Takes the oldest order that was addressed to this host on this session; empty if there is none.
   *
   * @param kinds the kinds of orders to take
   * @param identity of the session of {@code connection}; no order to another session is taken
   */
  public Optional<MachineOrder> take(
      Connection connection, Set<OrderKind> kinds, String machine, RdsManager.Identity identity)
      throws SQLException {
    try (SqlStatement statement = take.on(connection)) {
      return statement
          .setArray("kinds", "text", kinds.stream().map(OrderKind::word).toArray())
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .first(MachineOrder::of);
    }
  }

  private static final String ANSWER =
      """
      UPDATE {operator_orders} SET state = 'done', ended_at = clock_timestamp(), answer = :answer::json
      WHERE id = :id AND state = 'taken'
      """;

  /** Writes the answer to an order that was taken, on any session. The call may be repeated. */
  public boolean answer(Connection connection, long id, String json) throws SQLException {
    try (SqlStatement statement = answer.on(connection)) {
      return statement.set("id", id).set("answer", json).update() == 1;
    }
  }
}
