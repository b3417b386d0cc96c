package dev.recorder.operate.orders;

import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operators' orders to hosts, from the operators' side. Uses the session of its {@link Inspection}.
 * Its methods throw {@link DatabaseException}.
 *
 * <p>An order is addressed to a host on the control session that the host has at that moment, and
 * can be taken on that session only. So a host that was meanwhile evicted, restarted or restored
 * does not carry out earlier orders. An order can be taken only within its time, by the server's
 * clock. So it is not carried out after its operator gave up waiting, or died. Each step is one
 * statement.
 */
public final class OrderQueue {
  /** The most orders that wait for a host; orders given at the very same time may exceed it. */
  static final int MOST_WAITING = 20;

  /** The most orders that are kept, including those that were carried out. */
  static final int MOST_KEPT = 1_000;

  private final InspectionSession session;
  private final SchemaNames schemas;

  public OrderQueue(InspectionSession session, SchemaNames schemas) {
    this.session = session;
    this.schemas = schemas;
  }

  /** The state of an order. */
  public enum OrderState {
    NEW,
    TAKEN,
    DONE,
    WITHDRAWN
  }

  /**
   * The state of an order, and its answer.
   *
   * @param answer the host's answer, once the order is carried out
   * @param sameSession whether the host still has the session to which the order was addressed
   */
  public record OrderStanding(OrderState state, @Nullable String answer, boolean sameSession) {}

  private static final String TIDY =
      """
      WITH late AS (
        UPDATE {operator_orders} SET state = 'withdrawn', ended_at = clock_timestamp()
        WHERE state = 'new'
          AND clock_timestamp() >= asked_at + take_within_ms * interval '1 millisecond')
      DELETE FROM {operator_orders}
      WHERE state <> 'new' AND id <= (SELECT max(id) FROM {operator_orders}) - :kept
      """;

  private static final String ASK =
      """
      INSERT INTO {operator_orders}
        (kind, machine, pid, backend_start, recorder, argument, take_within_ms, os_user)
      SELECT :kind, i.name, i.pid, i.backend_start, :recorder, :argument, :takeWithin, :osUser
      FROM {info_recorders} i
      WHERE i.name = :machine AND (
        SELECT count(*) FROM {operator_orders} o
        WHERE o.machine = :machine AND o.state = 'new') < :most
      RETURNING id
      """;

  /**
   * Gives an order to a host, on the session that the host has now.
   *
   * @return the order's number; empty if there is no such host, or too many orders wait for it
   */
  public Optional<Long> ask(OrderRequest order) {
    return session.ask(
        c -> {
          tidy(c, schemas);
          try (SqlStatement statement = Sql.in(schemas, ASK).on(c)) {
            return statement
                .set("kind", order.kind().word())
                .set("machine", order.machine())
                .set("recorder", order.recorder())
                .set("argument", order.argument())
                .set("takeWithin", Math.toIntExact(order.takeWithin().toMillis()))
                .set("osUser", Operator.cut(order.osUser()))
                .set("most", MOST_WAITING)
                .first(row -> row.getLong(1));
          }
        });
  }

  /** Withdraws orders whose time is over, and deletes old ones. */
  static void tidy(Connection connection, SchemaNames schemas) throws SQLException {
    try (SqlStatement statement = Sql.in(schemas, TIDY).on(connection)) {
      statement.set("kept", MOST_KEPT).update();
    }
  }

  private static final String LOOK =
      """
      SELECT o.state, o.answer::text, i.name IS NOT NULL
      FROM {operator_orders} o
      LEFT JOIN {info_recorders} i
        ON i.name = o.machine AND i.pid = o.pid AND i.backend_start = o.backend_start
      WHERE o.id = :id
      """;

  /**
   * Returns the state of an order; empty if the order is gone, as after a restore of the database.
   */
  public Optional<OrderStanding> look(long id) {
    return session.ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, LOOK).on(c)) {
            return statement
                .set("id", id)
                .first(
                    row ->
                        new OrderStanding(
                            OrderState.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                            row.getString(2),
                            row.getBoolean(3)));
          }
        });
  }

  /** Only on the host's present session, since no process works on orders of an earlier session. */
  private static final String UNDER_WAY =
      """
      SELECT {columns}
      FROM {operator_orders} o
      JOIN {info_recorders} i
        ON i.name = o.machine AND i.pid = o.pid AND i.backend_start = o.backend_start
      WHERE o.machine = :machine AND o.state = 'taken' ORDER BY o.id DESC LIMIT 1
      """;

  /**
   * Returns the order that a host has taken and not answered; a host takes no other order
   * meanwhile.
   */
  public Optional<MachineOrder> underWay(String machine) {
    Sql sql = Sql.in(schemas, UNDER_WAY, Map.of("columns", MachineOrder.COLUMNS));
    return session.ask(
        c -> {
          try (SqlStatement statement = sql.on(c)) {
            return statement.set("machine", machine).first(MachineOrder::of);
          }
        });
  }

  private static final String WITHDRAW =
      """
      UPDATE {operator_orders} SET state = 'withdrawn', ended_at = clock_timestamp()
      WHERE id = :id AND state = 'new'
      """;

  /** Withdraws an order; returns whether no host had taken it, so that no host will. */
  public boolean withdraw(long id) {
    return session.ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, WITHDRAW).on(c)) {
            return statement.set("id", id).update() == 1;
          }
        });
  }
}
