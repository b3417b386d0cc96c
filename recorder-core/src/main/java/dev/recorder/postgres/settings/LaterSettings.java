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
 * What a session sets for what it does next, over what {@link SessionSettings} gave its kind. What
 * holds for one transaction alone ({@code SET LOCAL}) stands with that transaction.
 */
public final class LaterSettings {
  private LaterSettings() {}

  /** Looks at all counters: one that somebody has locked must not keep the others from it. */
  public static void poller(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 100");
  }

  /** Looks at all tables: who has locked one is named, and not waited for. */
  public static void facts(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 50");
  }

  /**
   * Changes a recorder's row: a machine has it for milliseconds, but a stranger may have it
   * forever.
   */
  public static void orders(Connection session) throws SQLException {
    execute(session, "SET lock_timeout = 5000");
  }

  /** Reads a table by its pages: by no index, whatever it would cost without. */
  public static void pages(Connection session) throws SQLException {
    execute(
        session,
        """
        SET enable_tidscan = on; SET enable_indexscan = off; SET enable_indexonlyscan = off;
        SET enable_bitmapscan = off; SET max_parallel_workers_per_gather = 0\
        """);
  }

  /** Has statements that take longer fail. */
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
   * Waits for locks for less than {@code deadlock_timeout}, after which the server may log it.
   *
   * @return how long a statement waits now
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
