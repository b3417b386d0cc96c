package dev.recorder.leadership.postgres;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.Wish;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
  private final String info;
  private final String recorders;

  TermStatements(SchemaNames schemas, String machine) {
    this.schemas = schemas;
    this.machine = machine;
    this.info = schemas.table("info_recorders");
    this.recorders = schemas.table("lock_recorders");
  }

  /**
   * Ends the session that holds the judged holder's lock, then its other sessions, only while the
   * heartbeat still is the judged one and the recorder still its: of several standbys that judge it
   * at the same time, the slower must not end the session of the quicker, which holds that lock by
   * then. Needs no more right than being the same role.
   */
  int evict(Connection connection, ControlAction.Evict evict) throws SQLException {
    String sql =
        "WITH judged AS MATERIALIZED"
            + " (SELECT i.name, r.holder_pid, r.holder_backend_start FROM "
            + info
            + " i JOIN "
            + recorders
            + " r ON r.holder = i.name WHERE i.name = ? AND i.beat = ? AND r.lock_id = ?),"
            + " holder AS (SELECT l.pid FROM judged JOIN pg_locks l ON l.pid = judged.holder_pid"
            + " JOIN pg_stat_activity a ON a.pid = judged.holder_pid"
            + " AND a.backend_start = judged.holder_backend_start"
            + " WHERE l.locktype = 'advisory'"
            + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            + " AND l.classid::bigint = (?::bigint & 4294967295) AND l.objid::bigint = ?"
            + " AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()),"
            + " others AS (SELECT a.pid FROM pg_stat_activity a, judged"
            + " WHERE a.application_name IN ('recorder/' || name || '/data',"
            + " 'recorder/' || name || '/listen') AND a.usename = current_user)"
            + " SELECT count(pg_terminate_backend(pid)) FROM"
            + " (SELECT pid FROM holder UNION SELECT pid FROM others) sessions";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, evict.holder());
      statement.setLong(2, evict.judgedBeat());
      statement.setInt(3, evict.lockId());
      statement.setInt(4, schemas.lockNamespace());
      statement.setInt(5, evict.lockId());
      return count(statement);
    }
  }

  /** Ends data sessions that a machine left behind when its control session died. */
  int endLeftovers(Connection connection, ControlAction.Take take) throws SQLException {
    String sql =
        "SELECT count(pg_terminate_backend(a.pid)) FROM pg_stat_activity a"
            + " WHERE a.application_name = 'recorder/' || ? || '/data'"
            + " AND a.usename = current_user AND NOT EXISTS (SELECT FROM "
            + info
            + " i JOIN pg_stat_activity c USING (pid, backend_start) WHERE i.name = ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, take.judgedHolder());
      statement.setString(2, take.judgedHolder());
      return count(statement);
    }
  }

  /**
   * Begins a term, if the row is as judged, and writes its receipt. Its own statement, after the
   * one that took the lock: a statement that takes a lock and reads a row reads the row as it was
   * before.
   */
  Optional<ControlAnswer.Taken> beginTerm(
      Connection connection, ControlAction.Take take, RdsManager.Identity identity)
      throws SQLException {
    String sql =
        "WITH before AS (SELECT r.last_holder, CASE WHEN r.holder IS NULL THEN r.released_at"
            + " ELSE greatest(r.settled_at, i.update_time) END AS last_sign"
            + " FROM "
            + recorders
            + " r LEFT JOIN "
            + info
            + " i ON i.name = coalesce(r.holder, r.last_holder) WHERE r.lock_id = ?),"
            + " term AS (UPDATE "
            + recorders
            + " SET holder = ?, holder_pid = ?, holder_backend_start = ?::timestamptz,"
            + " last_holder = ?, epoch = epoch + 1, primary_up = true,"
            // An operator's wish for another machine outlives a fault that came in between.
            + " switch_to = CASE WHEN switch_to <> ? AND switch_why IN ('flip', 'operator')"
            + " THEN switch_to END,"
            + " switch_why = CASE WHEN switch_to <> ? AND switch_why IN ('flip', 'operator')"
            + " THEN switch_why END,"
            + " faults = CASE WHEN ? NOT IN ('died', 'silent', 'stuck')"
            // It was left to another machine, which did not take it.
            + " AND NOT coalesce(switch_to <> ? AND switch_why IN ('failback', 'stuck'), false)"
            + " THEN faults WHEN clock_timestamp() - begun_at < ?::interval THEN faults + 1"
            + " ELSE 1 END, begun_at = clock_timestamp(), update_time = clock_timestamp()"
            + " WHERE lock_id = ? AND epoch = ? AND holder IS NOT DISTINCT FROM ? RETURNING lock_id, recorder, epoch, log_uuid, last_slot, first_slot),"
            + " receipt AS (INSERT INTO "
            + schemas.table("takeovers")
            + " (lock_id, recorder, reason, from_machine, to_machine, from_epoch, to_epoch,"
            + " silence_ms, gap_ms, last_slot, first_slot, detail)"
            + " SELECT lock_id, recorder, ?, coalesce(?, last_holder), ?, ?, epoch, ?,"
            + " CASE WHEN last_holder IS NOT NULL THEN round(extract(epoch FROM"
            + " clock_timestamp() - last_sign) * 1000) END,"
            + " last_slot, first_slot, ? FROM term, before RETURNING from_machine, gap_ms)"
            + " SELECT epoch, log_uuid, from_machine, gap_ms FROM term, receipt";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 1;
      statement.setInt(p++, take.lockId());
      statement.setString(p++, machine);
      statement.setInt(p++, identity.pid());
      statement.setString(p++, identity.backendStart());
      statement.setString(p++, machine);
      statement.setString(p++, machine);
      statement.setString(p++, machine);
      statement.setString(p++, take.reason().toString());
      statement.setString(p++, machine);
      statement.setString(p++, SOON_AFTER);
      statement.setInt(p++, take.lockId());
      statement.setLong(p++, take.judgedEpoch());
      statement.setString(p++, take.judgedHolder());
      statement.setString(p++, take.reason().toString());
      statement.setString(p++, take.judgedHolder());
      statement.setString(p++, machine);
      statement.setLong(p++, take.judgedEpoch());
      statement.setLong(p++, take.silenceMillis());
      statement.setString(p, take.why());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(taken(row, take)) : Optional.empty();
      }
    }
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

  /** Lets the machine to which the recorder goes know of it, if the row still names the term. */
  boolean announce(Connection connection, ControlAction.Announce announce) throws SQLException {
    String sql =
        "UPDATE "
            + recorders
            + " SET switch_to = ?, switch_why = ? WHERE lock_id = ? AND epoch = ? AND holder = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, announce.wish().to());
      statement.setString(2, announce.wish().why().toString());
      statement.setInt(3, announce.lockId());
      statement.setLong(4, announce.epoch());
      statement.setString(5, machine);
      return statement.executeUpdate() == 1;
    }
  }

  /** Ends this machine's own data sessions, one of which may keep the recorder's row locked. */
  int endOwnDataSessions(Connection connection) throws SQLException {
    String sql =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE application_name = 'recorder/' || ? || '/data' AND usename = current_user";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, machine);
      return count(statement);
    }
  }

  /** Clears the holder, if the row still names the term. */
  boolean endTerm(Connection connection, ControlAction.Release release) throws SQLException {
    String sql =
        "UPDATE "
            + recorders
            + " SET holder = NULL, holder_pid = NULL, holder_backend_start = NULL,"
            + " primary_up = false, switch_to = coalesce(?, switch_to),"
            + " switch_why = coalesce(?, switch_why), released_at = clock_timestamp(),"
            + " update_time = clock_timestamp()"
            + " WHERE lock_id = ? AND epoch = ? AND holder = ?";
    Wish to = release.to();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, to == null ? null : to.to());
      statement.setString(2, to == null ? null : to.why().toString());
      statement.setInt(3, release.lockId());
      statement.setLong(4, release.epoch());
      statement.setString(5, machine);
      return statement.executeUpdate() == 1;
    }
  }

  private static int count(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
