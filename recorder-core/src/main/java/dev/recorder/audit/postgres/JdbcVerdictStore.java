package dev.recorder.audit.postgres;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.schedule.AuditVerdict;
import dev.recorder.audit.schedule.VerdictStore;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Verdicts over one session, for one term; verdicts of another term are not changed. */
public final class JdbcVerdictStore implements VerdictStore {
  static final int MOST_FINDINGS = 20;
  static final int LONGEST = 600;

  private final Connection connection;
  private final SchemaNames schemas;
  private final Term term;

  /** When the verification began, by the server's clock, as SQL text. */
  private @Nullable String startedAt;

  /** Creates the store for the verdicts of the term's log. */
  public JdbcVerdictStore(Connection connection, SchemaNames schemas, Term term) {
    this.connection = connection;
    this.schemas = schemas;
    this.term = term;
  }

  /** Creates a store on a session that others use, too; called on its thread. */
  public static JdbcVerdictStore on(DataSession session, Term term) {
    try {
      return new JdbcVerdictStore(session.connection(), session.schemas(), term);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** Does not write a row that already has these values. */
  private static final String SCHEDULE =
      """
      INSERT INTO {verdicts} AS v (lock_id, recorder, every_ms)
      SELECT r.lock_id, r.recorder, :every FROM {lock_recorders} r
      WHERE r.lock_id = :lock AND r.epoch = :epoch
      ON CONFLICT (lock_id) DO UPDATE SET every_ms = EXCLUDED.every_ms,
        recorder = EXCLUDED.recorder,
        since = CASE WHEN v.every_ms IS NULL THEN clock_timestamp() ELSE v.since END
      WHERE v.every_ms IS DISTINCT FROM EXCLUDED.every_ms
        OR v.recorder IS DISTINCT FROM EXCLUDED.recorder
      """;

  /** Notes how often to verify the log, according to the active host's file. */
  public void schedule(Duration every) {
    ask(sql(SCHEDULE), statement -> ofTerm(statement).set("every", every.toMillis()).update());
  }

  private static final String UNSCHEDULE =
      """
      UPDATE {verdicts} SET every_ms = NULL
      WHERE lock_id = :lock AND every_ms IS NOT NULL
        AND EXISTS (SELECT FROM {lock_recorders} r WHERE r.lock_id = :lock AND r.epoch = :epoch)
      """;

  /** Notes that the log is not verified on a schedule. */
  public void unschedule() {
    ask(sql(UNSCHEDULE), statement -> ofTerm(statement).update());
  }

  /** Also finds an order that was taken in another term and not carried out. */
  private static final String LOOK =
      """
      WITH taken AS (
        UPDATE {operator_orders} SET state = 'taken', taken_at = clock_timestamp()
        WHERE kind = 'verify' AND lock_id = :lock AND state = 'new' RETURNING id)
      SELECT ended_at IS NULL
          OR clock_timestamp() >= ended_at + every_ms * interval '1 millisecond' AS is_due,
        coalesce((SELECT max(id) FROM taken), (
          SELECT max(id) FROM {operator_orders}
          WHERE kind = 'verify' AND lock_id = :lock AND state = 'taken'), 0) AS asked,
        coalesce(next_from, 0) AS next_from, log_uuid,
        coalesce(rebased_slot, 0) AS rebased_slot, clock_timestamp()::text AS now
      FROM {verdicts} WHERE lock_id = :lock AND every_ms IS NOT NULL
      """;

  @Override
  public Noted look() {
    return ask(sql(LOOK), statement -> statement.set("lock", term.lockId()).first(this::noted))
        .orElse(new Noted(false, 0, 0, null, 0));
  }

  private Noted noted(ResultSet row) throws SQLException {
    startedAt = row.getString("now");
    return new Noted(
        row.getBoolean("is_due"),
        row.getLong("asked"),
        row.getLong("next_from"),
        row.getObject("log_uuid", UUID.class),
        row.getLong("rebased_slot"));
  }

  /** Orders given during the verification are not taken yet, and stay open. */
  private static final String NOTE =
      """
      WITH noted AS (
        UPDATE {verdicts} v SET started_at = :started::timestamptz, ended_at = clock_timestamp(),
          machine = :machine, ok = :ok, whole = :whole, from_slot = :from, to_slot = :to,
          fault_count = :faults, findings = array_to_json(:findings), next_from = :next,
          log_uuid = :log::uuid, rebased_slot = :rebased, tried_at = NULL, trouble = NULL
        FROM {lock_recorders} r
        WHERE v.lock_id = :lock AND r.lock_id = v.lock_id AND r.epoch = :epoch
        RETURNING v.lock_id),
      told AS (
        UPDATE {operator_orders} o SET state = 'done', ended_at = clock_timestamp(),
          answer = json_build_object('ok', :ok)
        FROM noted n WHERE o.kind = 'verify' AND o.lock_id = n.lock_id AND o.state = 'taken')
      SELECT count(*) = 1 FROM noted
      """;

  @Override
  public boolean note(AuditVerdict verdict) {
    AuditResult result = verdict.result();
    return ask(
        sql(NOTE),
        statement ->
            ofTerm(statement)
                .set("started", startedAt)
                .set("machine", term.machine())
                .set("ok", result.ok())
                .set("whole", verdict.isWhole())
                .set("from", verdict.from())
                .set("to", verdict.to())
                .set("faults", result.findings().size() + result.moreFindings())
                .setArray("findings", "text", cut(result.findings()))
                .set("next", verdict.next())
                .set("log", verdict.standing().log().toString())
                .set("rebased", verdict.standing().rebasedSlot())
                .truth());
  }

  private static final String UNFINISHED =
      """
      UPDATE {verdicts} v SET tried_at = clock_timestamp(), trouble = :why
      FROM {lock_recorders} r
      WHERE v.lock_id = :lock AND r.lock_id = v.lock_id AND r.epoch = :epoch
      """;

  @Override
  public void unfinished(String why) {
    ask(sql(UNFINISHED), statement -> ofTerm(statement).set("why", cut(why)).update());
  }

  private SqlStatement ofTerm(SqlStatement statement) throws SQLException {
    return statement.set("lock", term.lockId()).set("epoch", term.epoch());
  }

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  private static String[] cut(List<String> findings) {
    return findings.stream()
        .limit(MOST_FINDINGS)
        .map(finding -> cut(finding).replace("\0", ""))
        .toArray(String[]::new);
  }

  private Sql sql(String text) {
    return Sql.in(schemas, text);
  }

  private <T> T ask(Sql sql, SqlFunction<SqlStatement, T> asking) {
    try (SqlStatement statement = sql.on(connection)) {
      return asking.apply(statement);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
