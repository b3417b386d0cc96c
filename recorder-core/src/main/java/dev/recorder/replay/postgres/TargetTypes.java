package dev.recorder.replay.postgres;

import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.postgres.sql.UntrustedTypeCode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types that the target has and may use. A type is refused if it calls code of a role
 * that the replay's role need not trust, since the code would run with the rights of the replay's
 * role. A type is also refused if it considers different texts equal, since a log distinguishes
 * keys by their text. The column in the source may have a finer collation than its type, which the
 * log does not state. The comparison by text is also right without such a collation, since no two
 * such keys then exist at once.
 */
final class TargetTypes {
  private final Connection connection;
  private final SavepointAttempt attempt;

  TargetTypes(Connection connection) {
    this.connection = connection;
    this.attempt = new SavepointAttempt(connection);
  }

  /**
   * A type in the target.
   *
   * @param isJson whether it is JSON or a domain over it
   * @param obstacle why it cannot be used, and the remedy; null if it can
   */
  record FoundType(boolean isJson, @Nullable String obstacle) {}

  /** SQL condition: the type {@code t} is JSON or a domain over JSON. */
  static final String IS_JSON =
      """
      (WITH RECURSIVE base AS (
        SELECT t.oid, t.typbasetype AS over
        UNION ALL
        SELECT b.oid, b.typbasetype FROM base JOIN pg_type b ON b.oid = base.over)
      SELECT bool_or(base.oid IN ('json'::regtype, 'jsonb'::regtype)) FROM base)
      """;

  /** SQL expression: why the type {@code t} cannot be used; NULL if it can. */
  static final String OBSTACLE =
      SqlTemplate.fill(
          """
          coalesce({code}, (
            SELECT format('collation %s of its type calls different texts equal', l.oid::regcollation)
            FROM pg_collation l WHERE l.oid = t.typcollation AND NOT l.collisdeterministic))""",
          Map.of("code", UntrustedTypeCode.obstacle("the replay")));

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
   * Looks up types in the target.
   *
   * @param names type names as in a log; an invalid name counts as a type that does not exist
   */
  List<FoundType> find(List<String> names) throws SQLException {
    List<FoundType> found = new ArrayList<>();
    if (attempt.isDone(() -> found.addAll(read(names)))) {
      return found;
    }
    for (String name : names) { // One of them is not a valid name.
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
