package dev.recorder.clearing.postgres;

import dev.recorder.clearing.SettledSlots;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlCall;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.postgres.ForeignNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Settled slots over one session. */
public final class JdbcSettledSlots implements SettledSlots {
  /** The most slots of one transaction, which stays short. */
  static final int MOST_ROWS = 1_000;

  /** Limits of a deletion; they soon free the locks of a frozen host. */
  private static final String LIMITS =
      """
      SET LOCAL lock_timeout = 50; SET LOCAL statement_timeout = 5000;
      SET LOCAL idle_in_transaction_session_timeout = 1000
      """;

  private final Connection connection;
  private final SchemaNames schemas;
  private final Term term;
  private final Sql standing;
  private final Sql delete;

  /**
   * Creates the settled slots of a log.
   *
   * @param term in which rows may be deleted
   */
  public JdbcSettledSlots(Connection connection, SchemaNames schemas, Term term) {
    this.connection = connection;
    this.schemas = schemas;
    this.term = term;
    this.standing = Sql.in(schemas, STANDING, Map.of("planned_here", ForeignNumbers.PLANNED_HERE));
    this.delete = Sql.in(schemas, DELETE);
  }

  private static final String STANDING =
      """
      SELECT least(r.last_slot,
        (SELECT s.slot FROM {slots} s WHERE {planned_here}
          ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1),
        coalesce(
          (SELECT s.slot FROM {slots} s
            WHERE s.lock_id = r.lock_id AND s.slot <= r.last_slot AND s.window_to IS NOT NULL
            ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1), 0))
      FROM {lock_recorders} r
      WHERE r.lock_id = :lock
      """;

  @Override
  public SlotsStanding look() {
    return ask(
        () -> {
          try (SqlStatement statement = standing.on(connection)) {
            return statement
                .set("lock", term.lockId())
                .first(row -> new SlotsStanding(row.getLong(1)))
                .orElseThrow(
                    () ->
                        new DatabaseException(
                            DatabaseErrorKind.UNUSABLE, "lockid " + term.lockId() + " has no row"));
          }
        });
  }

  /** Uses the index of the primary key, so that rows deleted earlier are not visited again. */
  private static final String DELETE =
      """
      WITH held AS (
        SELECT lock_id FROM {lock_recorders}
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine AND log_uuid = :log::uuid
          AND last_slot > :upTo),
      first AS (
        SELECT max(s.slot) AS last FROM (
          SELECT slot FROM {slots} JOIN held USING (lock_id)
          WHERE lock_id = :lock AND slot > :after AND slot <= :upTo
          ORDER BY slot LIMIT :most) s),
      gone AS (
        DELETE FROM {slots} s USING first
        WHERE s.lock_id = :lock AND s.slot > :after AND s.slot <= first.last)
      SELECT coalesce(last, :upTo) FROM first
      """;

  @Override
  public long delete(long after, long upTo) {
    return ask(
        () -> {
          try (Transaction transaction = Transaction.begin(connection)) {
            try (Statement statement = connection.createStatement()) {
              statement.execute(LIMITS);
            }
            long deleted = execute(after, upTo);
            transaction.commit();
            return deleted;
          }
        });
  }

  private long execute(long after, long upTo) throws SQLException {
    try (SqlStatement statement = delete.on(connection)) {
      return statement
          .set("lock", term.lockId())
          .set("epoch", term.epoch())
          .set("machine", term.machine())
          .set("log", term.log().toString())
          .set("after", after)
          .set("upTo", upTo)
          .set("most", MOST_ROWS)
          .number();
    }
  }

  private <T> T ask(SqlCall<T> question) {
    try {
      return question.run();
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, schemas);
    }
  }
}
