package dev.recorder.leadership.postgres;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.Reason;
import dev.recorder.leadership.Wish;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Transaction;
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
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The beginning and the end of a term, and of what stands in its way; each statement one
 * transaction of the control session.
 */
final class TermStatements {
  /**
   * A term that a fault ends within this time of its beginning counts as one more in a row, and
   * doubles the wait for the next failback.
   */
  private static final String SOON_AFTER = "10 minutes";

  private final SchemaNames schemas;
  private final String machine;
  private final Sql evict;
  private final Sql endLeftovers;
  private final Sql beginTerm;
  private final Sql announce;
  private final Sql endTerm;

  TermStatements(SchemaNames schemas, String machine) {
    this.schemas = schemas;
    this.machine = machine;
    this.evict = Sql.in(schemas, EVICT);
    this.endLeftovers = Sql.in(schemas, END_LEFTOVERS);
    this.beginTerm = Sql.in(schemas, BEGIN_TERM);
    this.announce = Sql.in(schemas, ANNOUNCE);
    this.endTerm = Sql.in(schemas, END_TERM);
  }

  private static final String EVICT =
      """
      WITH judged AS MATERIALIZED (
        SELECT i.name, r.holder_pid, r.holder_backend_start
        FROM {info_recorders} i JOIN {lock_recorders} r ON r.holder = i.name
        WHERE i.name = :holder AND i.beat = :beat AND r.lock_id = :lock),
      holder AS (
        SELECT l.pid FROM judged
        JOIN pg_locks l ON l.pid = judged.holder_pid
        JOIN pg_stat_activity a ON a.pid = judged.holder_pid
          AND a.backend_start = judged.holder_backend_start
        WHERE l.locktype = 'advisory'
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid::bigint = (:namespace::bigint & 4294967295) AND l.objid::bigint = :lock
          AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()),
      others AS (
        SELECT a.pid FROM pg_stat_activity a, judged
        WHERE a.application_name IN ('recorder/' || name || '/data',
            'recorder/' || name || '/listen')
          AND a.usename = current_user)
      SELECT count(pg_terminate_backend(pid))
      FROM (SELECT pid FROM holder UNION SELECT pid FROM others) sessions
      """;

  /**
   * Ends the session that holds the judged holder's lock, then its other sessions, only while the
   * heartbeat still is the judged one and the recorder still its: of several standbys that judge it
   * at the same time, the slower must not end the session of the quicker, which holds that lock by
   * then. Needs no more right than being the same role.
   */
  int evict(Connection connection, ControlAction.Evict evict) throws SQLException {
    try (SqlStatement statement = this.evict.on(connection)) {
      return (int)
          statement
              .set("holder", evict.holder())
              .set("beat", evict.judgedBeat())
              .set("lock", evict.lockId())
              .set("namespace", schemas.lockNamespace())
              .number();
    }
  }

  private static final String END_LEFTOVERS =
      """
      SELECT count(pg_terminate_backend(a.pid)) FROM pg_stat_activity a
      WHERE a.application_name = 'recorder/' || :holder || '/data' AND a.usename = current_user
        AND NOT EXISTS (
          SELECT FROM {info_recorders} i JOIN pg_stat_activity c USING (pid, backend_start)
          WHERE i.name = :holder)
      """;

  /** Ends data sessions that a machine left behind when its control session died. */
  int endLeftovers(Connection connection, ControlAction.Take take) throws SQLException {
    try (SqlStatement statement = endLeftovers.on(connection)) {
      return (int) statement.set("holder", take.judgedHolder()).number();
    }
  }

  /**
   * A wish of an operator's for another machine outlives a fault that came in between. A fault does
   * not count if the recorder was left to another machine, which did not take it.
   */
  private static final String BEGIN_TERM =
      """
      WITH before AS (
        SELECT r.last_holder, CASE WHEN r.holder IS NULL THEN r.released_at
          ELSE greatest(r.settled_at, i.update_time) END AS last_sign
        FROM {lock_recorders} r
        LEFT JOIN {info_recorders} i ON i.name = coalesce(r.holder, r.last_holder)
        WHERE r.lock_id = :lock),
      term AS (
        UPDATE {lock_recorders} SET holder = :machine, holder_pid = :pid,
          holder_backend_start = :backendStart::timestamptz, last_holder = :machine,
          epoch = epoch + 1, primary_up = true,
          switch_to = CASE WHEN switch_to <> :machine AND switch_why IN ('flip', 'operator')
            THEN switch_to END,
          switch_why = CASE WHEN switch_to <> :machine AND switch_why IN ('flip', 'operator')
            THEN switch_why END,
          faults = CASE
            WHEN :reason NOT IN ('died', 'silent', 'stuck') AND NOT coalesce(
              switch_to <> :machine AND switch_why IN ('failback', 'stuck'), false) THEN faults
            WHEN clock_timestamp() - begun_at < :soonAfter::interval THEN faults + 1
            ELSE 1 END,
          begun_at = clock_timestamp(), update_time = clock_timestamp()
        WHERE lock_id = :lock AND epoch = :judgedEpoch AND holder IS NOT DISTINCT FROM :judgedHolder
        RETURNING lock_id, recorder, epoch, log_uuid, last_slot, first_slot),
      receipt AS (
        INSERT INTO {takeovers} (lock_id, recorder, reason, from_machine, to_machine, from_epoch,
          to_epoch, silence_ms, gap_ms, last_slot, first_slot, detail)
        SELECT lock_id, recorder, :reason, coalesce(:judgedHolder, last_holder), :machine,
          :judgedEpoch, epoch, :silence,
          CASE WHEN last_holder IS NOT NULL
            THEN round(extract(epoch FROM clock_timestamp() - last_sign) * 1000) END,
          last_slot, first_slot, :why
        FROM term, before RETURNING from_machine, gap_ms)
      SELECT epoch, log_uuid, from_machine, gap_ms FROM term, receipt
      """;

  /**
   * Begins a term, if the row is as judged, and writes its receipt. Its own statement, after the
   * one that took the lock: a statement that takes a lock and reads a row reads the row as it was
   * before.
   */
  Optional<ControlAnswer.Taken> beginTerm(
      Connection connection, ControlAction.Take take, RdsManager.Identity identity)
      throws SQLException {
    try (SqlStatement statement = beginTerm.on(connection)) {
      return statement
          .set("lock", take.lockId())
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .set("reason", take.reason().toString())
          .set("soonAfter", SOON_AFTER)
          .set("judgedEpoch", take.judgedEpoch())
          .set("judgedHolder", take.judgedHolder())
          .set("silence", take.silenceMillis())
          .set("why", take.why())
          .first(row -> taken(row, take));
    }
  }

  /**
   * Has the server plan it, and this program run it, for a recorder that nobody has: a session that
   * does it for the first time in a takeover takes some milliseconds longer.
   */
  void rehearse(Connection connection, RdsManager.Identity identity) throws SQLException {
    beginTerm(
        connection, new ControlAction.Take(0, null, -1, Reason.START, 0, "rehearsal"), identity);
  }

  /**
   * Begins, in one transaction, each of the terms whose lock was granted and whose row allows it.
   */
  Map<Integer, ControlAnswer.Taken> beginTerms(
      Connection connection,
      List<ControlAction.Take> takes,
      Set<Integer> granted,
      RdsManager.Identity identity)
      throws SQLException {
    Map<Integer, ControlAnswer.Taken> begun = new HashMap<>();
    try (Transaction transaction = Transaction.begin(connection)) {
      for (ControlAction.Take take : takes) {
        if (granted.contains(take.lockId())) {
          beginTerm(connection, take, identity).ifPresent(taken -> begun.put(take.lockId(), taken));
        }
      }
      transaction.commit();
    }
    return begun;
  }

  private ControlAnswer.Taken taken(ResultSet row, ControlAction.Take take) throws SQLException {
    Term term = new Term(take.lockId(), row.getLong(1), machine, UUID.fromString(row.getString(2)));
    String gap = row.getString(4);
    return new ControlAnswer.Taken(
        term,
        new ControlAnswer.Receipt(
            take.reason(),
            row.getString(3),
            take.judgedEpoch(),
            Duration.ofMillis(take.silenceMillis()),
            gap == null ? null : Duration.ofMillis(Long.parseLong(gap)),
            take.why()));
  }

  private static final String ANNOUNCE =
      """
      UPDATE {lock_recorders} SET switch_to = :to, switch_why = :why
      WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine
      """;

  /** Lets the machine to which the recorder goes know of it, if the row still names the term. */
  boolean announce(Connection connection, ControlAction.Announce announce) throws SQLException {
    try (SqlStatement statement = this.announce.on(connection)) {
      return statement
              .set("to", announce.wish().to())
              .set("why", announce.wish().why().toString())
              .set("lock", announce.lockId())
              .set("epoch", announce.epoch())
              .set("machine", machine)
              .update()
          == 1;
    }
  }

  private static final Sql END_OWN_DATA_SESSIONS =
      Sql.of(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE application_name = 'recorder/' || :machine || '/data' AND usename = current_user
          """);

  /** Ends this machine's own data sessions, one of which may keep the recorder's row locked. */
  int endOwnDataSessions(Connection connection) throws SQLException {
    try (SqlStatement statement = END_OWN_DATA_SESSIONS.on(connection)) {
      return (int) statement.set("machine", machine).number();
    }
  }

  private static final String END_TERM =
      """
      UPDATE {lock_recorders} SET holder = NULL, holder_pid = NULL, holder_backend_start = NULL,
        primary_up = false, switch_to = coalesce(:to, switch_to),
        switch_why = coalesce(:why, switch_why), released_at = clock_timestamp(),
        update_time = clock_timestamp()
      WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine
      """;

  /** Clears the holder, if the row still names the term. */
  boolean endTerm(Connection connection, ControlAction.Release release) throws SQLException {
    Wish to = release.to();
    try (SqlStatement statement = endTerm.on(connection)) {
      return statement
              .set("to", to == null ? null : to.to())
              .set("why", to == null ? null : to.why().toString())
              .set("lock", release.lockId())
              .set("epoch", release.epoch())
              .set("machine", machine)
              .update()
          == 1;
    }
  }
}
