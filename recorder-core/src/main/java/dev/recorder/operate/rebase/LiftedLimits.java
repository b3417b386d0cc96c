package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.PayloadLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Removes limits of a log's table while rows that exceed them are updated. Such rows are older than
 * the limits, and each UPDATE evaluates a CHECK. A CHECK that lets such rows pass would make each
 * INSERT slower. If the process dies, or another session holds the table, a limit may stay removed;
 * the next start of a host sets it again.
 *
 * <p>Each change locks the table for a moment. For one thread.
 */
final class LiftedLimits {
  /** Each attempt waits a moment for the lock, and so do producers behind it. */
  private static final int ATTEMPTS = 10;

  private final String table;

  LiftedLimits(SchemaNames schemas, RecorderName recorder) {
    this.table = schemas.handoffTable(recorder);
  }

  /** Sets the removed limits again, unless another session holds the table. */
  @FunctionalInterface
  interface Lifting extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  private record Limit(String name, String definition, String holds, boolean own) {}

  /** Rows can exceed only limits that are not validated. */
  private static final Sql LIMITS =
      Sql.of(
          """
          SELECT k.conname, pg_get_constraintdef(k.oid), pg_get_expr(k.conbin, k.conrelid),
            pg_has_role(c.relowner, 'USAGE')
          FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
          WHERE c.oid = :table::regclass AND k.contype = 'c' AND NOT k.convalidated
            AND k.conname IN ('payload_within_max_payload', 'key_within_8192_bytes',
              'only_captures_write_changes')
          ORDER BY 1
          """);

  /**
   * Removes the limits that rows exceed, until the result is closed.
   *
   * @throws DatabaseException of kind RIGHTS with the SQL to run, if this role may not change the
   *     table; BUSY if another session holds the table
   */
  Lifting lift(Connection connection) throws SQLException {
    List<Limit> limits;
    try (SqlStatement statement = LIMITS.on(connection)) {
      limits =
          statement
              .set("table", table)
              .all(
                  row ->
                      new Limit(
                          row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4)));
    }
    List<Limit> passed = limits.isEmpty() ? limits : passed(connection, limits);
    if (passed.isEmpty()) {
      return () -> {};
    }
    if (!passed.get(0).own()) {
      throw new DatabaseException(
          DatabaseErrorKind.RIGHTS,
          """
          rows of %s are over limits that came later, which only its owner may lift; let them run, \
          for the time of the rebase:
          %s
          and afterwards:
          %s"""
              .formatted(table, lines(passed, this::drop), lines(passed, this::add)));
    }
    if (!change(connection, passed, this::drop)) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          """
          rows of %s are over limits that came later, and somebody holds the table, so that these \
          cannot be lifted; run it again"""
              .formatted(table));
    }
    return () -> change(connection, passed, this::add);
  }

  private static final String ROWS_OVER = "SELECT {each} FROM {table}";

  /** A row for which a limit yields NULL does not exceed it. */
  private static final String IS_PASSED = "coalesce(bool_or(NOT ({holds})), false)";

  /** Returns the limits that rows exceed. */
  private List<Limit> passed(Connection connection, List<Limit> limits) throws SQLException {
    String each =
        limits.stream()
            .map(limit -> SqlTemplate.fill(IS_PASSED, Map.of("holds", limit.holds())))
            .collect(Collectors.joining(", "));
    String sql = SqlTemplate.fill(ROWS_OVER, Map.of("table", table, "each", each));
    List<Limit> passed = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      for (int i = 0; i < limits.size(); i++) {
        if (row.getBoolean(i + 1)) {
          passed.add(limits.get(i));
        }
      }
    }
    return passed;
  }

  private boolean change(Connection connection, List<Limit> limits, Function<Limit, String> how)
      throws SQLException {
    List<String> statements = limits.stream().map(how).toList();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        PayloadLimit.shortly(connection, statements);
        return true;
      } catch (SQLException e) {
        if (SqlStates.kindOf(e) != DatabaseErrorKind.BUSY) {
          throw e;
        }
      }
    }
    return false;
  }

  private static final String DROP = "ALTER TABLE {table} DROP CONSTRAINT {name}";

  private String drop(Limit limit) {
    return filled(DROP, limit);
  }

  private static final String ADD = "ALTER TABLE {table} ADD CONSTRAINT {name} {definition}";

  private String add(Limit limit) {
    return filled(ADD, limit);
  }

  private String filled(String text, Limit limit) {
    return SqlTemplate.fillFromShared(
        text, Map.of("table", table, "name", limit.name(), "definition", limit.definition()));
  }

  private static String lines(List<Limit> limits, Function<Limit, String> how) {
    return limits.stream().map(limit -> how.apply(limit) + ";").collect(Collectors.joining("\n"));
  }
}
