package dev.recorder.leadership.postgres;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAction.Take;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Begins the terms of one or several recorders, in one statement and so in one transaction. */
final class TermBeginnings {
  /**
   * If a fault ends a term within this time of its beginning, the term counts as one more fault in
   * a row, and doubles the wait for the next failback.
   */
  private static final String SOON_AFTER = "10 minutes";

  /**
   * One more than the driver's threshold for server-side preparation, so that the server has also
   * made its plan.
   */
  private static final int PREPARATIONS = 6;

  private final String machine;
  private final Sql begin;

  TermBeginnings(SchemaNames schemas, String machine) {
    this.machine = machine;
    this.begin = Sql.in(schemas, BEGIN, LastSign.PIECES);
  }

  /**
   * An operator's request for another host survives a fault in between. A hand-over that its target
   * did not take counts as a fault, so that a failback does not repeat it at once.
   */
  private static final String BEGIN =
      """
      WITH judged AS MATERIALIZED (
        SELECT take.*, r.last_holder, {last_beat} AS last_beat, {last_sign} AS last_sign
        FROM unnest(:locks::int[], :epochs::bigint[], :holders, :reasons, :whys)
          AS take (lock_id, judged_epoch, judged_holder, reason, why)
        JOIN {lock_recorders} r USING (lock_id)),
      term AS (
        UPDATE {lock_recorders} r SET holder = :machine, holder_pid = :pid,
          holder_backend_start = :backendStart::timestamptz, last_holder = :machine,
          epoch = r.epoch + 1, primary_up = true,
          switch_to = CASE WHEN switch_to <> :machine AND switch_why IN ('flip', 'operator')
            THEN switch_to END,
          switch_why = CASE WHEN switch_to <> :machine AND switch_why IN ('flip', 'operator')
            THEN switch_why END,
          faults = CASE
            WHEN j.reason NOT IN ('died', 'silent', 'stuck') AND NOT coalesce(
              switch_to <> :machine AND switch_why IN ('failback', 'stuck'), false) THEN faults
            WHEN clock_timestamp() - begun_at < :soonAfter::interval THEN faults + 1
            ELSE 1 END,
          begun_at = clock_timestamp(), update_time = clock_timestamp()
        FROM judged j
        WHERE r.lock_id = j.lock_id AND r.epoch = j.judged_epoch
          AND r.holder IS NOT DISTINCT FROM j.judged_holder
        RETURNING r.lock_id, r.recorder, r.epoch, r.log_uuid, r.last_slot, r.first_slot,
          j.judged_epoch, j.reason, j.why,
          coalesce(j.judged_holder, j.last_holder) AS from_machine,
          -- A clock that was set back tells no negative time.
          greatest(round(extract(epoch FROM clock_timestamp() - j.last_beat) * 1000)::bigint, 0)
            AS silence,
          CASE WHEN j.last_holder IS NOT NULL
            THEN greatest(
              round(extract(epoch FROM clock_timestamp() - j.last_sign) * 1000)::bigint, 0)
            END AS gap),
      receipts AS (
        INSERT INTO {takeovers} (lock_id, recorder, reason, from_machine, to_machine, from_epoch,
          to_epoch, silence_ms, gap_ms, last_slot, first_slot, detail)
        SELECT lock_id, recorder, reason, from_machine, :machine, judged_epoch, epoch, silence, gap,
          last_slot, first_slot, why
        FROM term)
      SELECT lock_id, epoch, log_uuid, from_machine, silence, gap FROM term
      """;

  /**
   * Begins the terms whose row is as judged, and writes their receipts. This must be another
   * statement than the one that takes the locks, because one statement would read the row as it was
   * before the lock was granted. If one of the rows is not available in time, no term begins.
   *
   * @return the terms begun, by lock id
   */
  Map<Integer, ControlAnswer.Taken> begin(
      Connection connection, List<Take> takes, RdsManager.Identity identity) throws SQLException {
    Map<Integer, ControlAnswer.Taken> begun = new HashMap<>();
    if (takes.isEmpty()) {
      return begun;
    }
    Map<Integer, Take> takeOf =
        takes.stream().collect(Collectors.toMap(Take::lockId, Function.identity()));
    try (SqlStatement statement = begin.on(connection)) {
      statement
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .set("soonAfter", SOON_AFTER)
          .setArray("locks", "int", each(takes, Take::lockId))
          .setArray("epochs", "bigint", each(takes, Take::judgedEpoch))
          .setArray("holders", "text", each(takes, Take::judgedHolder))
          .setArray("reasons", "text", each(takes, take -> take.reason().toString()))
          .setArray("whys", "text", each(takes, Take::why));
      ResultSet row = statement.query();
      while (row.next()) {
        int lockId = row.getInt("lock_id");
        begun.put(lockId, taken(row, Objects.requireNonNull(takeOf.get(lockId))));
      }
    }
    return begun;
  }

  private static Object[] each(List<Take> takes, Function<Take, Object> value) {
    return takes.stream().map(value).toArray();
  }

  private ControlAnswer.Taken taken(ResultSet row, Take take) throws SQLException {
    Term term =
        new Term(
            take.lockId(),
            row.getLong("epoch"),
            machine,
            UUID.fromString(row.getString("log_uuid")));
    Long gap = row.getObject("gap", Long.class);
    return new ControlAnswer.Taken(
        term,
        new ControlAnswer.Receipt(
            take.reason(),
            row.getString("from_machine"),
            take.judgedEpoch(),
            Duration.ofMillis(row.getLong("silence")),
            gap == null ? null : Duration.ofMillis(gap),
            take.why()));
  }

  /**
   * Runs the statement for a recorder that does not exist, so that the server plans it and this
   * process has run it. Without this, the first takeover on a session takes some milliseconds
   * longer. Only after a few runs does the driver let the server keep the prepared statement.
   */
  void prepareStatements(Connection connection, RdsManager.Identity identity) throws SQLException {
    Take never = new Take(0, null, -1, TakeoverReason.START, "preparation");
    for (int i = 0; i < PREPARATIONS; i++) {
      begin(connection, List.of(never), identity);
    }
  }
}
