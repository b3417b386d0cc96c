package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What the role needs in the target, asked before anything is changed there. */
final class TargetRights {
  private final Connection connection;

  TargetRights(Connection connection) {
    this.connection = connection;
  }

  /** To keep changes until they are applied, and for what replays note. */
  private static final Sql BEGINNING =
      Sql.of(
          """
          SELECT format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), current_user)
          WHERE NOT has_database_privilege(current_database(), 'TEMPORARY')
          UNION ALL
          SELECT format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user)
          WHERE NOT has_database_privilege(current_database(), 'CREATE')
            AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'recorder_replay')
          UNION ALL
          SELECT format('ALTER SCHEMA recorder_replay OWNER TO %I', current_user)
          FROM pg_namespace
          WHERE nspname = 'recorder_replay' AND NOT pg_has_role(nspowner, current_user, 'USAGE')
          UNION ALL
          SELECT format('GRANT USAGE, CREATE ON SCHEMA recorder_replay TO %I', current_user)
          FROM pg_namespace
          WHERE nspname = 'recorder_replay' AND NOT (has_schema_privilege(oid, 'USAGE')
            AND has_schema_privilege(oid, 'CREATE'))
          UNION ALL
          SELECT format('ALTER TABLE recorder_replay.%I OWNER TO %I', c.relname, current_user)
          FROM pg_class c
          WHERE c.relnamespace = to_regnamespace('recorder_replay') AND c.relkind = 'r'
            AND NOT pg_has_role(c.relowner, current_user, 'USAGE')
          """);

  /** To be asked before anything else. */
  void checkBeginning() throws SQLException {
    try (SqlStatement statement = BEGINNING.on(connection)) {
      refuse(statement.all(row -> row.getString(1)));
    }
  }

  private static final Sql TABLES =
      Sql.of(
          """
          SELECT DISTINCT CASE
            WHEN n.oid IS NOT NULL THEN
              format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', w.schema, current_user)
            ELSE format('GRANT CREATE ON DATABASE %I TO %I', current_database(), current_user) END
          FROM unnest(:schemas::text[], :names::text[]) AS w (schema, name)
          LEFT JOIN pg_namespace n ON n.nspname = w.schema
          WHERE NOT EXISTS (
              SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = w.name)
            AND CASE WHEN n.oid IS NULL
              THEN NOT has_database_privilege(current_database(), 'CREATE')
              ELSE NOT (has_schema_privilege(n.oid, 'USAGE')
                AND has_schema_privilege(n.oid, 'CREATE')) END
          ORDER BY 1
          """);

  /** To be asked before these tables are made, as far as they are not there. */
  void checkTables(List<LoggedTable> tables) throws SQLException {
    try (SqlStatement statement = TABLES.on(connection)) {
      statement
          .setArray("schemas", "text", tables.stream().map(LoggedTable::schema).toArray())
          .setArray("names", "text", tables.stream().map(LoggedTable::name).toArray());
      refuse(statement.all(row -> row.getString(1)));
    }
  }

  private static void refuse(List<String> missing) {
    if (!missing.isEmpty()) {
      throw new ReplayException(
          ReplayErrorKind.RIGHTS,
          """
          the role of the replay lacks rights in the target, in which nothing was changed; let an \
          administrator run there: %s;\
          """
              .formatted(String.join("; ", missing)));
    }
  }
}
