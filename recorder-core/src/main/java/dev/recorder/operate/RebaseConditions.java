package dev.recorder.operate;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.ServerQueries;
import dev.recorder.schema.Subscriptions;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** What a {@link Rebase} needs before it changes anything: the lock, a right, the sequence. */
final class RebaseConditions {
  private static final int ATTEMPTS = 20;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);

  private final ServerQueries server;
  private final RecorderName recorder;
  private final int lockId;
  private final String table;
  private final Sql sequenceBehind;

  RebaseConditions(SchemaNames names, RecorderName recorder, int lockId) {
    this.server = new ServerQueries(names);
    this.recorder = recorder;
    this.lockId = lockId;
    this.table = names.handoffTable(recorder);
    this.sequenceBehind =
        Sql.in(
            names, SEQUENCE_BEHIND, Map.of("table", table, "bits", Integer.toString(Block.BITS)));
  }

  /**
   * Takes the recorder's lock for the length of the session. Asks again for a while: the session of
   * a machine that was just stopped, or of a rebase that was refused, may still be ending.
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
        "recorder " + recorder + " is held " + by + "; stop its machines first");
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

  /** Rows that come after the rebase would need another one. */
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

  /** Rows are renumbered by a right that a machine does not have. */
  void checkRights(Connection connection) throws SQLException {
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
            %s"""
                .formatted(SqlTemplate.fill(GRANT, pieces), SqlTemplate.fill(REVOKE, pieces)));
      }
    }
  }

  private static final String SEQUENCE_BEHIND =
      """
      SELECT s.seq, h.largest, p.last_value
      FROM (SELECT pg_get_serial_sequence(:table, 'id')::regclass AS seq) s
      JOIN pg_class c ON c.oid = s.seq
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_sequences p ON p.schemaname = n.nspname AND p.sequencename = c.relname,
        (SELECT greatest((SELECT max(id) FROM {table}),
          (SELECT max(block) << {bits} FROM {blocks} WHERE lock_id = :lock)) AS largest) h
      WHERE h.largest > coalesce(p.last_value, 0)
        AND (has_sequence_privilege(s.seq, 'SELECT') OR has_sequence_privilege(s.seq, 'USAGE'))
      """;

  /**
   * Copies of rows often come without the sequence behind their ids. Then ids of new rows are those
   * of old ones, or lie before them; those of a block that was left would be given out twice. Looks
   * only as far as the role may.
   */
  void checkSequence(Connection connection) throws SQLException {
    try (SqlStatement statement = sequenceBehind.on(connection);
        ResultSet behind = statement.set("table", table).set("lock", lockId).query()) {
      if (behind.next()) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            ids of new rows would be those of old ones: sequence %1$s did not come with the rows; \
            first run: SELECT pg_catalog.setval('%1$s', %2$s);"""
                .formatted(behind.getString(1), behind.getLong(2)));
      }
    }
  }
}
