package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.CaptureTriggerNames;
import dev.recorder.schema.IdSequence;
import dev.recorder.schema.ServerQueries;
import dev.recorder.schema.Subscriptions;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The conditions of a {@link Rebase} before any change: the lock, a right, the sequence. */
final class RebaseConditions {
  private static final int ATTEMPTS = 20;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

  private final ServerQueries server;
  private final RecorderName recorder;
  private final int lockId;
  private final String table;
  private final String sequence;
  private final IdSequence ids;
  private final Sql captureSequence = Sql.of(CAPTURE_SEQUENCE);
  private final Sql moveSequence;

  RebaseConditions(SchemaNames names, RecorderName recorder, int lockId) {
    this.server = new ServerQueries(names);
    this.recorder = recorder;
    this.lockId = lockId;
    this.table = names.handoffTable(recorder);
    this.sequence = names.captureSequence(recorder);
    this.moveSequence =
        Sql.of(MOVE, Map.of("sequence", sequence, "present", CaptureTriggerNames.PRESENT));
    this.ids = new IdSequence(names, recorder);
  }

  /**
   * Takes the recorder's lock until the end of the session. Tries repeatedly, since the session of
   * a host that was just stopped, or of a refused rebase, may still be ending.
   */
  void lock(Connection connection) throws SQLException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (server.tryLock(connection, lockId)) {
        return;
      }
      pause();
    }
    String by =
        server
            .lockHolder(connection, lockId)
            .map(holder -> "by " + holder)
            .orElse("by a session that has just ended");
    throw new DatabaseException(
        DatabaseErrorKind.BUSY,
        "recorder " + recorder + " is held " + by + "; stop its hosts first");
  }

  private static void pause() {
    try {
      Pause.sleep(BETWEEN_ATTEMPTS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException(
          DatabaseErrorKind.BUSY, "interrupted while waiting for the lock", e);
    }
  }

  /** Checks all conditions of a rebase that renumbers rows. */
  void check(Connection connection) throws SQLException {
    checkReplication(connection);
    checkRights(connection);
    checkIdentity(connection);
    checkSequence(connection);
    hasCaptureSequence(connection);
  }

  /** Checks the conditions of a rebase that does not renumber rows. */
  void checkGoingOn(Connection connection) throws SQLException {
    checkReplication(connection);
    checkSequence(connection);
  }

  /**
   * Refuses during a replication, since rows that arrive after the rebase would need another
   * rebase.
   */
  void checkReplication(Connection connection) throws SQLException {
    String replicated = Subscriptions.writingInto(connection, table);
    if (!replicated.isEmpty()) {
      throw new DatabaseException(DatabaseErrorKind.BUSY, replicated);
    }
  }

  private static final Sql RIGHT =
      Sql.of(
          """
          SELECT has_column_privilege(:table, 'xid', 'UPDATE'), quote_ident(current_user)
          """);

  private static final String GRANT = "GRANT UPDATE (xid) ON {table} TO {role};";
  private static final String REVOKE = "REVOKE UPDATE (xid) ON {table} FROM {role};";

  /** Checks the right to renumber rows, which a host's role does not need otherwise. */
  private void checkRights(Connection connection) throws SQLException {
    try (SqlStatement statement = RIGHT.on(connection);
        ResultSet right = statement.set("table", table).query()) {
      right.next();
      if (!right.getBoolean(1)) {
        Map<String, String> pieces = Map.of("table", table, "role", right.getString(2));
        throw new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            """
            this role may not renumber rows; let an administrator run, for the time of the rebase:
            %s
            and afterwards:
            %s\
            """
                .formatted(SqlTemplate.fill(GRANT, pieces), SqlTemplate.fill(REVOKE, pieces)));
      }
    }
  }

  /** Published leaves whose rows cannot be updated, with the statements that change this. */
  private static final Sql UNIDENTIFIED =
      Sql.of(
          """
          SELECT string_agg(
            format('ALTER TABLE %s REPLICA IDENTITY FULL;', c.oid::regclass), ' ' ORDER BY c.oid)
          FROM pg_partition_tree(:table::regclass) t JOIN pg_class c ON c.oid = t.relid
          WHERE t.isleaf AND c.relreplident IN ('d', 'n')
            AND NOT (c.relreplident = 'd'
              AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary))
            AND EXISTS (SELECT FROM pg_publication p WHERE p.pubupdate AND (p.puballtables
              OR EXISTS (SELECT FROM pg_publication_tables x WHERE x.pubname = p.pubname
                AND to_regclass(format('%I.%I', x.schemaname, x.tablename)) IN (
                  SELECT relid FROM pg_partition_tree(:table::regclass)))))
          """);

  /**
   * Checks replica identities: rows are renumbered by an UPDATE, which a published table allows
   * only with a replica identity.
   */
  private void checkIdentity(Connection connection) throws SQLException {
    Optional<String> missing;
    try (SqlStatement statement = UNIDENTIFIED.on(connection)) {
      missing =
          statement
              .set("table", table)
              .first(row -> Optional.ofNullable(row.getString(1)))
              .flatMap(found -> found);
    }
    if (missing.isPresent()) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE,
          """
          a publication has table %s, whose rows cannot be changed without a replica identity; \
          nothing was changed; let the owner of the table run: %s\
          """
              .formatted(table, missing.get()));
    }
  }

  private static final String CAPTURE_SEQUENCE =
      """
      SELECT has_sequence_privilege(s.seq, 'UPDATE'), s.seq::text, quote_ident(current_user)
      FROM (SELECT to_regclass(:sequence) AS seq) s
      WHERE s.seq IS NOT NULL
      """;

  private static final String MOVE =
      """
      SELECT setval(:sequence::regclass, now.micros)
      FROM {sequence} AS s, (SELECT {present} AS micros) AS now WHERE s.last_value < now.micros
      """;

  /**
   * Moves the sequence of captured changes above the numbers in the log, since the sequence may
   * have stayed on the other server.
   */
  void moveCaptureSequence(Connection connection) throws SQLException {
    if (hasCaptureSequence(connection)) {
      try (SqlStatement statement = moveSequence.on(connection)) {
        statement.set("sequence", sequence).first(row -> row.getLong(1));
      }
    }
  }

  /** Whether the sequence exists and may be moved; if it may not, throws with the missing right. */
  boolean hasCaptureSequence(Connection connection) throws SQLException {
    try (SqlStatement statement = captureSequence.on(connection);
        ResultSet found = statement.set("sequence", sequence).query()) {
      if (!found.next()) {
        return false;
      }
      if (!found.getBoolean(1)) {
        throw new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            """
            captured changes would get numbers that the log has already: sequence %1$s has to be \
            moved, and this role may not; nothing was changed; let its owner run: \
            GRANT SELECT, UPDATE ON SEQUENCE %1$s TO %2$s;\
            """
                .formatted(found.getString(2), found.getString(3)));
      }
      return true;
    }
  }

  /**
   * Checks the sequence of ids: no id may be assigned twice, whether rows are renumbered or not.
   */
  private void checkSequence(Connection connection) throws SQLException {
    String behind = ids.behindRows(connection, lockId);
    if (!behind.isEmpty()) {
      throw new DatabaseException(DatabaseErrorKind.UNUSABLE, behind);
    }
  }
}
