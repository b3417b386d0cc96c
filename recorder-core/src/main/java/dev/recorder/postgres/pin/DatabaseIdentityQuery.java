package dev.recorder.postgres.pin;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Finds the identity of a session's database. */
final class DatabaseIdentityQuery {
  private static final int HEXADECIMAL = 16;
  private static final int TIMELINE_DIGITS = 8;

  private DatabaseIdentityQuery() {}

  /** Set by the recorder's sessions when they are opened. */
  private static final String REACHED_AS =
      "coalesce(pg_catalog.current_setting('recorder.database', true), '')";

  private static final String OID =
      "(SELECT oid::bigint FROM pg_database WHERE datname = current_database())";

  /**
   * The timeline, from the name of a WAL file: {@code pg_control_checkpoint()} shows the old
   * timeline for a while.
   */
  private static final String TIMELINE = "pg_walfile_name(pg_current_wal_lsn())";

  private static final String SYSTEM = "(SELECT system_identifier FROM pg_control_system())";

  private static final Map<String, String> PIECES =
      Map.of("reached_as", REACHED_AS, "oid", OID, "timeline", TIMELINE, "system", SYSTEM);

  private static final Sql ALL = Sql.of("SELECT {reached_as}, {oid}, {system}, {timeline}", PIECES);

  private static final Sql NAME_AND_OID = Sql.of("SELECT {reached_as}, {oid}", PIECES);
  private static final Sql SYSTEM_ALONE = Sql.of("SELECT {system}", PIECES);
  private static final Sql TIMELINE_ALONE = Sql.of("SELECT {timeline}", PIECES);

  /**
   * Returns the identity. Call it outside of a transaction, since a statement fails if the role
   * lacks a right.
   */
  static DatabaseIdentity of(Connection connection) throws SQLException {
    try {
      return one(
          connection,
          ALL,
          row ->
              new DatabaseIdentity(
                  row.getString(1), row.getLong(3), row.getLong(2), timeline(row.getString(4))));
    } catch (SQLException e) {
      if (!isRefused(e)) {
        throw e;
      }
    }
    long system = orZero(connection, SYSTEM_ALONE, row -> row.getLong(1));
    long timeline = orZero(connection, TIMELINE_ALONE, row -> timeline(row.getString(1)));
    return one(
        connection,
        NAME_AND_OID,
        row -> new DatabaseIdentity(row.getString(1), system, row.getLong(2), timeline));
  }

  private static long timeline(String walFile) {
    return Long.parseLong(walFile.substring(0, TIMELINE_DIGITS), HEXADECIMAL);
  }

  private static long orZero(Connection connection, Sql sql, SqlFunction<ResultSet, Long> value)
      throws SQLException {
    try {
      return one(connection, sql, value);
    } catch (SQLException e) {
      if (isRefused(e)) {
        return 0;
      }
      throw e;
    }
  }

  private static <T> T one(Connection connection, Sql sql, SqlFunction<ResultSet, T> value)
      throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return statement.first(value).orElseThrow();
    }
  }

  /**
   * Returns whether the function was refused: for a missing right, or by a server that does not
   * support it, or not in its present state.
   */
  private static boolean isRefused(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.equals(SqlStates.NO_RIGHT) || state.startsWith("0A") || state.startsWith("55");
  }
}
