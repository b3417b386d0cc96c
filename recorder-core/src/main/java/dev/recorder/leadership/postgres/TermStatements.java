package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The statements that end a term, and that end the sessions in the way of a new one ({@link
 * TermBeginnings}). Each is one transaction of the control session.
 */
final class TermStatements {
  private final SchemaNames schemas;
  private final String machine;
  private final Sql evict;
  private final Sql endLeftovers;
  private final Sql announce;
  private final Sql accept;
  private final Sql endTerm;

  TermStatements(SchemaNames schemas, String machine) {
    this.schemas = schemas;
    this.machine = machine;
    this.evict = Sql.in(schemas, EVICT);
    this.endLeftovers = Sql.in(schemas, END_LEFTOVERS);
    this.announce = Sql.in(schemas, ANNOUNCE);
    this.accept = Sql.in(schemas, ACCEPT);
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
          AND a.usename = current_user AND a.datname = current_database())
      SELECT count(pg_terminate_backend(pid))
      FROM (SELECT pid FROM holder UNION SELECT pid FROM others) sessions
      """;

  /**
   * Ends the session that holds the judged holder's lock, and then the holder's other sessions. It
   * does so only if the heartbeat is still the judged one and the holder still has the recorder. If
   * several standbys judge the same holder, the slower one must not end the session of the quicker
   * one, which holds the lock by then. Needs only the right to end sessions of the same role.
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
        AND a.datname = current_database() AND NOT EXISTS (
          SELECT FROM {info_recorders} i JOIN pg_stat_activity c USING (pid, backend_start)
          WHERE i.name = :holder)
      """;

  /** Ends the data sessions that a host left when its control session died. */
  int endLeftovers(Connection connection, ControlAction.Take take) throws SQLException {
    try (SqlStatement statement = endLeftovers.on(connection)) {
      return (int) statement.set("holder", take.judgedHolder()).number();
    }
  }

  private static final String ANNOUNCE =
      """
      UPDATE {lock_recorders} SET switch_to = :to, switch_why = :why
      WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine
      """;

  /**
   * Writes the request for the next host into the recorder's row, if the row still names the term.
   */
  boolean announce(Connection connection, ControlAction.Announce announce) throws SQLException {
    try (SqlStatement statement = this.announce.on(connection)) {
      return statement
              .set("to", announce.request().to())
              .set("why", announce.request().why().toString())
              .set("lock", announce.lockId())
              .set("epoch", announce.epoch())
              .set("machine", machine)
              .update()
          == 1;
    }
  }

  private static final String ACCEPT =
      """
      WITH accepted AS (
        UPDATE {operator_orders} SET state = 'taken', taken_at = clock_timestamp(),
          answer = json_build_object('epoch', :epoch)
        WHERE kind = 'switchover' AND lock_id = :lock AND argument = :to AND state = 'new'
          AND clock_timestamp() < asked_at + take_within_ms * interval '1 millisecond'
          AND EXISTS (
            SELECT FROM {lock_recorders} r
            WHERE r.lock_id = :lock AND r.epoch = :epoch AND r.holder = :machine)
        RETURNING id),
      forgotten AS (
        UPDATE {lock_recorders} SET switch_to = NULL, switch_why = NULL
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine
          AND switch_to = :to AND switch_why = 'operator' AND NOT EXISTS (SELECT FROM accepted))
      SELECT count(*) = 1 FROM accepted
      """;

  /**
   * Accepts the order of an operator's request. If the order was withdrawn or has expired by the
   * server's clock, as after the end of the operator's command, the request is removed instead.
   */
  boolean accept(Connection connection, ControlAction.Accept accept) throws SQLException {
    try (SqlStatement statement = this.accept.on(connection)) {
      return statement
          .set("to", accept.request().to())
          .set("lock", accept.lockId())
          .set("epoch", accept.epoch())
          .set("machine", machine)
          .truth();
    }
  }

  private static final Sql END_OWN_DATA_SESSIONS =
      Sql.of(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE application_name = 'recorder/' || :machine || '/data' AND usename = current_user
            AND datname = current_database()
          """);

  /** Ends this host's own data sessions, one of which may lock the recorder's row. */
  int endOwnDataSessions(Connection connection) throws SQLException {
    try (SqlStatement statement = END_OWN_DATA_SESSIONS.on(connection)) {
      return (int) statement.set("machine", machine).number();
    }
  }

  private static final String END_TERM =
      """
      UPDATE {lock_recorders} SET holder = NULL, holder_pid = NULL, holder_backend_start = NULL,
        primary_up = false,
        switch_to = CASE WHEN :to::text IS NOT NULL THEN :to
          WHEN switch_why <> 'operator' THEN switch_to END,
        switch_why = CASE WHEN :to::text IS NOT NULL THEN :why
          WHEN switch_why <> 'operator' THEN switch_why END,
        released_at = clock_timestamp(),
        update_time = clock_timestamp()
      WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine
      """;

  /**
   * Clears the holder, if the row still names the term. A request of an operator that was not
   * accepted is removed, since the next host could not know whether its order is still valid.
   */
  boolean endTerm(Connection connection, ControlAction.Release release) throws SQLException {
    HandoverRequest to = release.to();
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
