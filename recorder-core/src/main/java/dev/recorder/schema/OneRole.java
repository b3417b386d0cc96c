package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * All machines of a schema run under one role: only the same role may end a hung machine's
 * sessions, without which its locks stay for ever.
 */
final class OneRole {
  private static final String BEFORE_NAME = "recorder/";
  private static final String BEHIND_NAME = "/control";

  private final SchemaNames names;

  OneRole(SchemaNames names) {
    this.names = names;
  }

  /** Anybody may call a session so; a machine also has the lock on its name. */
  private static final Sql OTHERS =
      Sql.of(
          """
          SELECT a.application_name, a.usename, current_user,
            (l.classid::bigint << 32) | l.objid::bigint
          FROM pg_stat_activity a JOIN pg_locks l USING (pid)
          WHERE a.application_name LIKE 'recorder/%/control' AND a.usename <> current_user
            AND a.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 1
            AND l.granted
          """);

  /** Fails if a machine runs under another role than this session's. */
  void check(Connection connection) throws SQLException {
    try (SqlStatement statement = OTHERS.on(connection)) {
      ResultSet row = statement.query();
      while (row.next()) {
        String session = row.getString(1);
        if (names.machineLockKey(machine(session)) == row.getLong(4)) {
          throw new DatabaseException(
              Kind.UNUSABLE,
              """
              session %s runs under role %s, this machine under %s: give all machines one \
              [postgredb] user, or a hung one cannot be evicted\
              """
                  .formatted(session, row.getString(2), row.getString(3)));
        }
      }
    }
  }

  private static String machine(String session) {
    return session.substring(BEFORE_NAME.length(), session.length() - BEHIND_NAME.length());
  }
}
