package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The statements on one form of key, prepared once for a session. */
final class AdvisoryStatements {
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Here the halves of a key are unsigned. */
  private static final String HOLDS =
      """
      SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND pid = pg_backend_pid() AND granted
          AND classid::bigint = :high AND objid::bigint = :low AND objsubid = {part})
      """;

  private final boolean pairs;
  private final SqlStatement take;
  private final SqlStatement await;
  private final SqlStatement unlock;
  private final SqlStatement holds;
  private final SqlStatement draw;
  private final SqlStatement drawNamed;

  AdvisoryStatements(Connection connection, SchemaNames schemas, boolean pairs)
      throws SQLException {
    this.pairs = pairs;
    Map<String, String> pieces =
        Map.of(
            "key", pairs ? ":high, :low" : ":key",
            "part", pairs ? "2" : "1",
            "nextToken", Command.nextToken(schemas));
    take = Sql.of("SELECT pg_try_advisory_lock({key})", pieces).on(connection);
    await = Sql.of("SELECT pg_advisory_lock({key})", pieces).on(connection);
    unlock = Sql.of("SELECT pg_advisory_unlock({key})", pieces).on(connection);
    holds = Sql.of(HOLDS, pieces).on(connection);
    draw = Sql.of("SELECT {nextToken}", pieces).on(connection);
    drawNamed = Sql.in(schemas, DRAW_NAMED, pieces).on(connection);
  }

  /** Takes the lock if it is free, or becomes so within the session's {@code lock_timeout}. */
  boolean isTaken(AdvisoryKey key, boolean mayWait) throws SQLException {
    return bound(take, key).truth() || (mayWait && isAwaited(key));
  }

  /**
   * A time-out may have met the grant: the server then keeps the lock although it reports an error.
   */
  private boolean isAwaited(AdvisoryKey key) throws SQLException {
    try {
      bound(await, key).complete().execute();
      return true;
    } catch (SQLException e) {
      if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
        throw e;
      }
      return holds(key);
    }
  }

  /** After a failure that may have come behind the grant; whether it had. */
  boolean letGo(AdvisoryKey key) throws SQLException {
    return holds(key) && unlock(key);
  }

  /** Whether the session held it. */
  boolean unlock(AdvisoryKey key) throws SQLException {
    return bound(unlock, key).truth();
  }

  /** Whether this session holds the lock. */
  private boolean holds(AdvisoryKey key) throws SQLException {
    return holds
        .set("high", Integer.toUnsignedLong(key.high()))
        .set("low", Integer.toUnsignedLong(key.low()))
        .truth();
  }

  private static final String DRAW_NAMED =
      """
      WITH named AS (
        INSERT INTO {lock_name} (key, name) VALUES (:number, :name) ON CONFLICT DO NOTHING)
      SELECT {nextToken}
      """;

  /**
   * A token for a lock that is held. Its name, if it is one that a column can hold, is written down
   * in the same step, for whoever looks at the locks.
   */
  long draw(AdvisoryKey key, String name) throws SQLException {
    return pairs || !RowName.fault(name).isEmpty()
        ? draw.number()
        : drawNamed.set("number", key.asLong()).set("name", name).number();
  }

  private SqlStatement bound(SqlStatement statement, AdvisoryKey key) throws SQLException {
    return pairs
        ? statement.set("high", key.high()).set("low", key.low())
        : statement.set("key", key.asLong());
  }
}
