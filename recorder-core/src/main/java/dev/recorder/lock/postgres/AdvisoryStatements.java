package dev.recorder.lock.postgres;

import dev.recorder.postgres.SchemaNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The statements on one form of key, prepared once for a session. */
final class AdvisoryStatements {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

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
    take = connection.prepareStatement("SELECT pg_try_advisory_lock(" + key + ")");
    await = connection.prepareStatement("SELECT pg_advisory_lock(" + key + ")");
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
    draw = connection.prepareStatement("SELECT nextval('" + schemas.table("lock_token") + "')");
  }

  /** Takes the lock if it is free, or becomes so within the session's {@code lock_timeout}. */
  boolean isTaken(AdvisoryKey key, boolean mayWait) throws SQLException {
    return isTrue(bound(take, key)) || (mayWait && isAwaited(key));
  }

  /**
   * A time-out may have met the grant: the server then keeps the lock although it reports an error.
   */
  private boolean isAwaited(AdvisoryKey key) throws SQLException {
    try {
      bound(await, key).execute();
      return true;
    } catch (SQLException e) {
      if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw e;
      }
      return holds(key);
    }
  }

  /** After a failure that may have come behind the grant. */
  void letGo(AdvisoryKey key) throws SQLException {
    if (holds(key)) {
      unlock(key);
    }
  }

  /** Whether the session held it. */
  boolean unlock(AdvisoryKey key) throws SQLException {
    return isTrue(bound(unlock, key));
  }

  /** Whether this session holds the lock. */
  private boolean holds(AdvisoryKey key) throws SQLException {
    holds.setLong(1, Integer.toUnsignedLong(key.high()));
    holds.setLong(2, Integer.toUnsignedLong(key.low()));
    return isTrue(holds);
  }

  /** A token for a lock that is held. */
  long draw() throws SQLException {
    try (ResultSet row = draw.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
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

  private static boolean isTrue(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
