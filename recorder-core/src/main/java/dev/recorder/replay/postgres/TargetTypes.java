package dev.recorder.replay.postgres;

import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which types the target has, and may be used: none that calls code of a role which the role of the
 * replay need not trust, since it would run with that role's rights.
 */
final class TargetTypes {
  private final Connection connection;
  private final ReplayAttempt attempt;

  TargetTypes(Connection connection) {
    this.connection = connection;
    this.attempt = new ReplayAttempt(connection, ReplayAttempt::isLasting);
  }

  /**
   * A type's name as the target takes it.
   *
   * @param isJson whether it is JSON, or a domain over it
   * @param obstacle why it cannot be used, and the remedy; null if it can
   */
  record FoundType(boolean isJson, @Nullable String obstacle) {}

  /** Whether the type {@code t} is JSON: a domain is what it is over. */
  static final String IS_JSON =
      """
      (WITH RECURSIVE base AS (
        SELECT t.oid, t.typbasetype AS over
        UNION ALL
        SELECT b.oid, b.typbasetype FROM base JOIN pg_type b ON b.oid = base.over)
      SELECT bool_or(base.oid IN ('json'::regtype, 'jsonb'::regtype)) FROM base)
      """;

  /**
   * Functions that use of the type {@code d} calls: a CHECK and a DEFAULT of a domain, also by way
   * of operators; what a range type measures and orders by, as ANALYZE does.
   */
  private static final String CALLED =
      """
      SELECT unnest(ARRAY[g.rngcanonical, g.rngsubdiff]) AS oid
      FROM pg_range g WHERE g.rngtypid = d.oid
      UNION ALL
      SELECT m.amproc FROM pg_range g JOIN pg_opclass c ON c.oid = g.rngsubopc
        JOIN pg_amproc m ON m.amprocfamily = c.opcfamily
      WHERE g.rngtypid = d.oid
      UNION ALL
      SELECT coalesce(o.oprcode, e.refobjid)
      FROM pg_depend e LEFT JOIN pg_operator o
        ON o.oid = e.refobjid AND e.refclassid = 'pg_operator'::regclass
      WHERE d.typtype = 'd' AND {of_domain}
        AND e.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
      """;

  /** That a CHECK or the DEFAULT of the domain {@code d} has what {@code e} names. */
  private static final String OF_DOMAIN =
      """
      (e.classid = 'pg_type'::regclass AND e.objid = d.oid
            OR e.classid = 'pg_constraint'::regclass AND e.objid IN (
              SELECT k.oid FROM pg_constraint k WHERE k.contypid = d.oid))""";

  /**
   * Why the type {@code t} is not used: in it is a domain of others, who may give it a CHECK at any
   * moment, or one that calls a function of others, or the row of a table, which could then not
   * change; NULL if it is.
   */
  static final String OBSTACLE =
      SqlTemplate.fill(
          """
          (WITH RECURSIVE part AS (
            SELECT t.oid
            UNION
            SELECT p.oid FROM part JOIN pg_type d ON d.oid = part.oid CROSS JOIN LATERAL (
                SELECT unnest(ARRAY[d.typelem, d.typbasetype])
                UNION ALL
                SELECT a.atttypid FROM pg_attribute a
                WHERE a.attrelid = d.typrelid AND a.attnum > 0 AND NOT a.attisdropped
                UNION ALL
                SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = d.oid
                UNION ALL
                SELECT r.rngtypid FROM pg_range r WHERE r.rngmultitypid = d.oid
                UNION ALL
                SELECT e.refobjid FROM pg_depend e
                WHERE d.typtype = 'd' AND {of_domain}
                  AND e.refclassid = 'pg_type'::regclass) AS p (oid)
            WHERE p.oid <> 0)
          SELECT min(o.obstacle) FROM part JOIN pg_type d ON d.oid = part.oid CROSS JOIN LATERAL (
              SELECT format('a CHECK or DEFAULT of domain %s of role %I would run with the rights'
                  || ' of the replay (read them, then ALTER DOMAIN … OWNER TO)',
                format_type(d.oid, NULL), pg_get_userbyid(d.typowner)) AS obstacle
              WHERE d.typtype = 'd' AND NOT pg_has_role(d.typowner, current_user, 'USAGE')
              UNION ALL
              SELECT format('function %s of role %I would run with the rights of the replay,'
                  || ' since type %s calls it (read it, then ALTER FUNCTION … OWNER TO)',
                f.oid::regprocedure, pg_get_userbyid(f.proowner), format_type(d.oid, NULL))
              FROM ({called}) AS c JOIN pg_proc f ON f.oid = c.oid
              WHERE NOT pg_has_role(f.proowner, current_user, 'USAGE')
              UNION ALL
              SELECT format('%s is the row of a table, which may change', format_type(d.oid, NULL))
              FROM pg_class w WHERE w.oid = d.typrelid AND w.relkind <> 'c') AS o)
          """,
          Map.of(
              "of_domain",
              OF_DOMAIN,
              "called",
              SqlTemplate.fill(CALLED, Map.of("of_domain", OF_DOMAIN))));

  private static final Sql TYPES =
      Sql.of(
          """
          SELECT coalesce(t.typisdefined AND t.typtype <> 'p', false) AS is_there,
            coalesce(has_type_privilege(t.oid, 'USAGE'), false) AS may_use,
            coalesce({is_json}, false) AS is_json, {obstacle} AS obstacle
          FROM unnest(:types::text[]) WITH ORDINALITY AS n (type, nth)
          LEFT JOIN pg_type t ON t.oid = to_regtype(n.type)
          ORDER BY n.nth
          """,
          Map.of("is_json", IS_JSON, "obstacle", OBSTACLE));

  /**
   * What these names are in the target.
   *
   * @param names as a log says them; what is not a type's name is not there
   */
  List<FoundType> find(List<String> names) throws SQLException {
    List<FoundType> found = new ArrayList<>();
    if (attempt.isDone(() -> found.addAll(read(names)))) {
      return found;
    }
    for (String name : names) { // Of these one is no name.
      Optional<SQLException> failure = attempt.failure(() -> found.addAll(read(List.of(name))));
      failure.ifPresent(e -> found.add(new FoundType(false, unknown(name, e))));
    }
    return found;
  }

  private List<FoundType> read(List<String> names) throws SQLException {
    try (SqlStatement statement = TYPES.on(connection)) {
      int[] nth = {0};
      return statement
          .setArray("types", "text", names.toArray())
          .all(row -> found(names.get(nth[0]++), row));
    }
  }

  private static FoundType found(String name, ResultSet row) throws SQLException {
    boolean isJson = row.getBoolean("is_json");
    if (!row.getBoolean("is_there")) {
      return new FoundType(false, "this database has no type %s".formatted(name));
    } else if (!row.getBoolean("may_use")) {
      String why = "this role may not use type %1$s (GRANT USAGE ON TYPE %1$s)";
      return new FoundType(isJson, why.formatted(name));
    }
    return new FoundType(isJson, row.getString("obstacle"));
  }

  private static String unknown(String name, SQLException e) {
    return "this database cannot find type %s: %s".formatted(name, SqlStates.describe(e));
  }
}
