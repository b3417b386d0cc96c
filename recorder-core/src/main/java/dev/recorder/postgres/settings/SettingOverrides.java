package dev.recorder.postgres.settings;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * Settings that a session changes after it was opened with those of {@link SessionSettings}.
 * Settings of one transaction ({@code SET LOCAL}) are in the code of that transaction.
 */
public final class SettingOverrides {
  private SettingOverrides() {}

  /**
   * For a session that reads the id sequences of all logs: a locked one must not delay the others.
   */
  public static void poller(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 100");
  }

  /** For a session that reads all tables: it reports the holder of a lock instead of waiting. */
  public static void facts(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 50");
  }

  /**
   * For a session that changes a recorder's row: a host locks the row for milliseconds, a foreign
   * session possibly forever.
   */
  public static void orders(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 5000");
  }

  /** For a session that reads a table by its pages: forbids indexes, whatever the cost. */
  public static void pages(Connection session) throws SQLException {
    execute(
        session,
        """
        SET enable_tidscan = on; SET enable_indexscan = off; SET enable_indexonlyscan = off;
        SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0\
        """);
  }

  public static void limit(Connection session, Duration longest) throws SQLException {
    String millis = Long.toString(longest.toMillis());
    execute(
        session, SqlTemplate.fill("SET statement_timeout = {millis}", Map.of("millis", millis)));
  }

  private static final Sql BELOW_DEADLOCK =
      Sql.of(
          """
          SELECT millis, set_config('lock_timeout', millis::text, false)
          FROM (
            SELECT least(:longest, setting::int * 4 / 5) AS millis
            FROM pg_settings WHERE name = 'deadlock_timeout') limits
          """);

  /**
   * Limits lock waits to less than {@code deadlock_timeout}, after which the server may log them.
   *
   * @return the limit of a wait
   */
  public static Duration shortWaits(Connection session, Duration longest) throws SQLException {
    try (SqlStatement statement = BELOW_DEADLOCK.on(session)) {
      int millis =
          statement
              .set("longest", Math.toIntExact(longest.toMillis()))
              .first(row -> row.getInt(1))
              .orElseThrow();
      return Duration.ofMillis(millis);
    }
  }

  private static void execute(Connection session, String settings) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(settings);
    }
  }
}
