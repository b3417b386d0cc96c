package dev.recorder.lock.postgres;

import dev.recorder.postgres.SchemaNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The statements on one form of key, prepared once for a session.
 *
 * <p>The token is drawn in the statement that takes the lock, behind the grant and only then, so
 * that tokens rise in the order of grants.
 */
final class AdvisoryStatements {
  private final boolean pairs;
  private final PreparedStatement take;
  private final PreparedStatement await;
  private final PreparedStatement unlock;
  private final PreparedStatement holds;
  private final PreparedStatement draw;

  AdvisoryStatements(Connection connection, SchemaNames schemas, boolean pairs)
      throws SQLException {
    this.pairs = pairs;
    String key = pairs ? "?, ?" : "?";
    String next = "nextval('" + schemas.table("lock_token") + "')";
    take =
        connection.prepareStatement(
            "SELECT CASE WHEN pg_try_advisory_lock(" + key + ") THEN " + next + " END");
    await =
        connection.prepareStatement(
            "WITH granted AS MATERIALIZED (SELECT pg_advisory_lock("
                + key
                + ")) SELECT "
                + next
                + " FROM granted");
    unlock = connection.prepareStatement("SELECT pg_advisory_unlock(" + key + ")");
    // Here the halves of a key are unsigned.
    holds =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory'"
                + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                + " AND pid = pg_backend_pid() AND granted AND classid::bigint = ?"
                + " AND objid::bigint = ? AND objsubid = "
                + (pairs ? 2 : 1)
                + ")");
    draw = connection.prepareStatement("SELECT " + next);
  }

  /** Takes the lock if it is free; gives the token. */
  OptionalLong take(AdvisoryKey key) throws SQLException {
    return number(bound(take, key));
  }

  /** Waits for the lock, for as long as the session's {@code lock_timeout} is. */
  OptionalLong await(AdvisoryKey key) throws SQLException {
    return number(bound(await, key));
  }

  /** Whether the session held it. */
  boolean unlock(AdvisoryKey key) throws SQLException {
    return isTrue(bound(unlock, key));
  }

  /** Whether this session holds the lock. */
  boolean holds(AdvisoryKey key) throws SQLException {
    holds.setLong(1, Integer.toUnsignedLong(key.high()));
    holds.setLong(2, Integer.toUnsignedLong(key.low()));
    return isTrue(holds);
  }

  /** A token for a lock that is held. */
  OptionalLong draw() throws SQLException {
    return number(draw);
  }

  private PreparedStatement bound(PreparedStatement statement, AdvisoryKey key)
      throws SQLException {
    if (pairs) {
      statement.setInt(1, key.high());
      statement.setInt(2, key.low());
    } else {
      statement.setLong(1, key.asLong());
    }
    return statement;
  }

  private static OptionalLong number(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      long number = row.getLong(1);
      return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }
  }

  private static boolean isTrue(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
