package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the rights of the role in the target before anything is changed there. */
final class TargetPrivileges {
  private final Connection connection;

  TargetPrivileges(Connection connection) {
    this.connection = connection;
  }

  /** The rights to stage changes and to create the replays' own tables. */
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
          SELECT format('GRANT USAGE, CREATE ON SCHEMA recorder_replay TO %I', current_user)
          FROM pg_namespace
          WHERE nspname = 'recorder_replay' AND NOT (has_schema_privilege(oid, 'USAGE')
            AND has_schema_privilege(oid, 'CREATE'))
          """);

  /**
   * Finds anything in the schema of replays that another role may have added, since its code would
   * run with this role's rights, even after a change of owner. Also finds rights of other roles to
   * change its tables or refer to them, which they could use later.
   */
  private static final Sql OTHERS =
      Sql.of(
          """
          SELECT format('is of role %I', pg_get_userbyid(nspowner)) FROM pg_namespace
          WHERE nspname = 'recorder_replay' AND NOT pg_has_role(nspowner, current_user, 'USAGE')
          UNION ALL
          SELECT format('lets role %s create in it', coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC'))
          FROM pg_namespace, aclexplode(nspacl) AS x
          WHERE nspname = 'recorder_replay' AND x.privilege_type = 'CREATE'
            AND NOT coalesce(pg_has_role(nullif(x.grantee, 0), current_user, 'USAGE'), false)
          UNION ALL
          SELECT format('has %I %s', c.relname, w.what)
          FROM pg_class c CROSS JOIN LATERAL (
            SELECT format('of role %I', pg_get_userbyid(c.relowner)) AS what
            WHERE NOT pg_has_role(c.relowner, current_user, 'USAGE')
            UNION ALL
            SELECT 'that is no plain table' WHERE c.relkind <> 'r' OR c.relrowsecurity
              OR EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent))
            UNION ALL
            SELECT format('with trigger %I', tgname) FROM pg_trigger
            WHERE tgrelid = c.oid AND NOT tgisinternal
            UNION ALL
            SELECT format('with rule %I', rulename) FROM pg_rewrite WHERE ev_class = c.oid
            UNION ALL
            SELECT format('with constraint %I', conname) FROM pg_constraint
            WHERE conrelid = c.oid AND contype NOT IN ('p', 'n')
            UNION ALL
            SELECT 'with ' || f.key FROM (SELECT {reference} AS key) AS f WHERE f.key IS NOT NULL
            UNION ALL
            SELECT 'with a default' FROM pg_attrdef WHERE adrelid = c.oid
            UNION ALL
            SELECT format('with index %s', indexrelid::regclass) FROM pg_index
            WHERE indrelid = c.oid AND (indexprs IS NOT NULL OR indpred IS NOT NULL)
            UNION ALL
            SELECT 'with statistics' FROM pg_statistic_ext
            WHERE stxrelid = c.oid AND stxexprs IS NOT NULL
            UNION ALL
            SELECT format('with type %s', format_type(atttypid, NULL)) FROM pg_attribute
            WHERE attrelid = c.oid AND attnum > 0 AND c.relname NOT LIKE 'seen%'
              AND NOT atttypid IN (SELECT oid FROM pg_type
                WHERE typnamespace = 'pg_catalog'::regnamespace)
            UNION ALL
            SELECT format(CASE x.privilege_type WHEN 'REFERENCES'
                THEN 'that role %s may refer to (REVOKE REFERENCES)' ELSE 'that role %s may change' END,
              coalesce(nullif(x.grantee, 0)::regrole::text, 'PUBLIC'))
            FROM (SELECT c.relacl AS acl UNION ALL
              SELECT attacl FROM pg_attribute WHERE attrelid = c.oid) AS a, aclexplode(a.acl) AS x
            WHERE x.privilege_type NOT IN ('SELECT', 'MAINTAIN')
              AND NOT coalesce(pg_has_role(nullif(x.grantee, 0), current_user, 'USAGE'), false)) AS w
          WHERE c.relnamespace = to_regnamespace('recorder_replay') AND c.relkind <> 'i'
            AND (c.relname IN ('positions', 'tables', 'snapshots') OR c.relname LIKE 'seen\\_%')
          LIMIT 1
          """,
          Map.of("reference", ForeignKeysOfOthers.FOUND));

  /** Checks the rights to begin. Must be called before anything else. */
  void checkBeginning() throws SQLException {
    checkBooks();
    try (SqlStatement statement = BEGINNING.on(connection)) {
      refuse(statement.all(row -> row.getString(1)));
    }
  }

  /** Checks the schema of replays. Must be called before anything in that schema is read. */
  void checkBooks() throws SQLException {
    try (SqlStatement statement = OTHERS.on(connection)) {
      Optional<String> others = statement.first(row -> row.getString(1));
      if (others.isPresent()) {
        throw new ReplayException(
            ReplayErrorKind.OTHERS,
            """
            schema recorder_replay of the target %s, which no replay has made: code of others \
            would run with the rights of this role; drop the schema and the tables that replays \
            have made, or replay into another database\
            """
                .formatted(others.get()));
      }
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

  /** Checks the rights on tables. Must be called before missing tables are created. */
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
