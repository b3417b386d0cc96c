package dev.recorder.operate.orders;

import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * Operators' orders to hand over recorders, from the operators' side. Either the host that has the
 * recorder takes an order within its time, or the order is withdrawn. Each is one statement, so an
 * order that was reported as withdrawn is never carried out. Uses the session of its {@link
 * Inspection}. Its methods throw {@link DatabaseException}.
 */
public final class Switchovers {
  private final InspectionSession session;
  private final SchemaNames schemas;

  public Switchovers(Connection connection, SchemaNames schemas) {
    this.session = new InspectionSession(connection, schemas);
    this.schemas = schemas;
  }

  private static final String ORDER =
      """
      WITH wished AS (
        UPDATE {lock_recorders} SET switch_to = :to, switch_why = 'operator'
        WHERE recorder = :recorder AND epoch = :epoch AND holder = :from
        RETURNING lock_id, recorder)
      INSERT INTO {operator_orders} (kind, lock_id, recorder, argument, take_within_ms, os_user)
      SELECT 'switchover', lock_id, recorder, :to, :within, :osUser FROM wished
      RETURNING id
      """;

  /**
   * Gives an order.
   *
   * @return its number; empty if the recorder's holder or term has changed, or another order is
   *     open
   */
  public Optional<Long> order(SwitchoverOrder order) {
    return ask(
        c -> {
          SettingOverrides.orders(c);
          OrderQueue.tidy(c, schemas); // An order whose time is over blocks no other.
          try (SqlStatement statement = Sql.in(schemas, ORDER).on(c)) {
            return statement
                .set("recorder", order.recorder())
                .set("epoch", order.epoch())
                .set("from", order.from())
                .set("to", order.to())
                .set("within", Math.toIntExact(order.within().toMillis()))
                .set("osUser", order.osUser())
                .first(row -> row.getLong(1));
          } catch (SQLException e) {
            if (SqlStates.UNIQUE_VIOLATION.equals(e.getSQLState())) {
              return Optional.empty(); // The statement changed nothing then.
            }
            throw e;
          }
        });
  }

  private static final String LOOK =
      """
      SELECT o.state, coalesce((o.answer ->> 'epoch')::bigint, 0), r.holder, r.epoch
      FROM {operator_orders} o JOIN {lock_recorders} r USING (lock_id) WHERE o.id = :id
      """;

  /** Returns the state of an order; empty if the order is gone. */
  public Optional<SwitchoverStanding> look(long id) {
    return ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, LOOK).on(c)) {
            return statement
                .set("id", id)
                .first(
                    row ->
                        new SwitchoverStanding(
                            OrderState.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                            row.getLong(2),
                            row.getString(3),
                            row.getLong(4)));
          }
        });
  }

  /**
   * Locks the recorder's row first, like the statement that gives an order, so that the two cannot
   * deadlock.
   */
  private static final String WITHDRAW =
      """
      WITH held AS MATERIALIZED (
        SELECT r.lock_id FROM {lock_recorders} r
        WHERE r.lock_id = (SELECT lock_id FROM {operator_orders} WHERE id = :id) FOR UPDATE),
      withdrawn AS (
        UPDATE {operator_orders} o SET state = 'withdrawn', ended_at = clock_timestamp()
        FROM held WHERE o.id = :id AND o.state = 'new'
        RETURNING o.lock_id, o.argument AS target),
      forgotten AS (
        UPDATE {lock_recorders} r SET switch_to = NULL, switch_why = NULL
        FROM withdrawn w
        WHERE r.lock_id = w.lock_id AND r.switch_to = w.target AND r.switch_why = 'operator')
      SELECT count(*) = 1 FROM withdrawn
      """;

  /** Withdraws an order; returns whether no host had taken it, so that no host will. */
  public boolean withdraw(long id) {
    return ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, WITHDRAW).on(c)) {
            return statement.set("id", id).truth();
          }
        });
  }

  private static final String OPEN =
      """
      SELECT argument AS target, os_user, asked_by, coalesce(host(client_addr), 'local') AS client
      FROM {operator_orders}
      WHERE kind = 'switchover' AND recorder = :recorder AND state = 'new'
        AND clock_timestamp() < asked_at + take_within_ms * interval '1 millisecond'
      """;

  /**
   * An order that no host has taken yet.
   *
   * @param by the operator who gave it
   */
  public record Open(String to, Operator by) {}

  /** Returns the open order for a recorder, if there is one. */
  public Optional<Open> open(RecorderName recorder) {
    return ask(
        c -> {
          try (SqlStatement statement = Sql.in(schemas, OPEN).on(c)) {
            return statement
                .set("recorder", recorder.value())
                .first(row -> new Open(row.getString("target"), Operator.of(row)));
          }
        });
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    return session.ask(question);
  }
}
