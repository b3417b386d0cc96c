package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * All machines of a schema run under one role: only the same role may end a hung machine's
 * sessions, without which its locks stay forever.
 */
final class OneRole {
  private final String machines;

  OneRole(SchemaNames names) {
    this.machines = names.table("info_recorders");
  }

  /** Anybody may call a session so; a machine's role may also write where heartbeats are. */
  private static final Sql OTHERS =
      Sql.of(
          """
          SELECT a.application_name, a.usename, current_user FROM pg_stat_activity a
          WHERE a.application_name LIKE 'recorder/%/control' AND a.usename <> current_user
            AND a.datname = current_database()
            AND coalesce((
              SELECT has_table_privilege(a.usesysid, c.oid, 'UPDATE')
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              WHERE n.nspname = split_part(:machines, '.', 1)::name
                AND c.relname = split_part(:machines, '.', 2)::name), true)
          LIMIT 1
          """);

  /** Fails if a machine runs under another role than this session's. */
  void check(Connection connection) throws SQLException {
    try (SqlStatement statement = OTHERS.on(connection)) {
      ResultSet row = statement.set("machines", machines).query();
      if (row.next()) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            """
            session %s runs under role %s, this machine under %s: give all machines one \
            [postgredb] user, or a hung one cannot be evicted\
            """
                .formatted(row.getString(1), row.getString(2), row.getString(3)));
      }
    }
  }
}
