package dev.recorder.lock.postgres;

import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The statements for one key space, prepared once per session. */
final class AdvisoryStatements {
  /** pg_locks shows the halves of a key as unsigned numbers. */
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

  /** Takes the lock if it is free or becomes free within the session's {@code lock_timeout}. */
  boolean isTaken(AdvisoryKey key, boolean mayWait) throws SQLException {
    return bound(take, key).truth() || (mayWait && isAwaited(key));
  }

  /**
   * Waits for the lock. A time-out may coincide with the grant; the server then keeps the lock
   * although it reports an error.
   */
  private boolean isAwaited(AdvisoryKey key) throws SQLException {
    try {
      bound(await, key).complete().execute();
      return true;
    } catch (SQLException e) {
      if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
        throw e;
      }
      return holds(key);
    }
  }

  /**
   * Releases the lock after a failure that may have followed the grant; returns whether it was
   * held.
   */
  boolean letGo(AdvisoryKey key) throws SQLException {
    return holds(key) && unlock(key);
  }

  /** Returns whether the session held the lock. */
  boolean unlock(AdvisoryKey key) throws SQLException {
    return bound(unlock, key).truth();
  }

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
   * Draws a token for a held lock. The same statement stores the lock's name, if the column can
   * hold it, for tools that list locks.
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
