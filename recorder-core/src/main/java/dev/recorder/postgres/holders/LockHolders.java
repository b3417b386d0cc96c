package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holders of the recorder's advisory locks. Any role may take any advisory lock, even by
 * accident. While a foreign session holds a lockid, no host can run its recorder.
 */
public final class LockHolders {
  /**
   * Role and application are visible to all roles, address and times to members of the same role. A
   * prepared transaction has no session, but a lock on its own transaction id. A session that is
   * ending still has a lock but has no name. It is left out, as its lock will soon be free.
   */
  private static final Sql HOLDERS =
      Sql.of(
          """
          SELECT k.place, coalesce(l.pid, 0) AS pid,
            coalesce(a.usename, p.owner, '') AS role,
            coalesce(a.application_name, '') AS application,
            CASE WHEN a.backend_start IS NOT NULL
              THEN coalesce(a.client_addr::text, 'local') END AS address,
            coalesce(a.backend_start, p.prepared)::timestamptz(0)::text AS since, p.gid,
            coalesce(
              a.usename = current_user AND a.application_name LIKE 'recorder/%', false)
              AS ours
          FROM (
            SELECT place, shared, CASE WHEN high IS NULL THEN 1 ELSE 2 END AS part,
              coalesce(high, key >> 32) & 4294967295 AS high, key & 4294967295 AS low
            FROM unnest(:firsts::bigint[], :numbers::bigint[], :hashed::text[], :shared::boolean[])
              WITH ORDINALITY AS given (high, number, hashed, shared, place)
            CROSS JOIN LATERAL (
              SELECT coalesce(hashtextextended(hashed, number), number) AS key) keys) k
          JOIN pg_locks l ON l.objsubid = k.part AND l.classid::bigint = k.high
            AND l.objid::bigint = k.low AND NOT (k.shared AND l.mode = 'ShareLock')
          LEFT JOIN pg_stat_activity a USING (pid)
          LEFT JOIN pg_locks t ON l.pid IS NULL AND t.pid IS NULL AND t.granted
            AND t.locktype = 'transactionid' AND t.virtualtransaction = l.virtualtransaction
          LEFT JOIN pg_prepared_xacts p ON p.transaction = t.transactionid
          WHERE l.locktype = 'advisory' AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (l.pid IS NULL OR a.pid IS NOT NULL)
          ORDER BY 1, 2
          """);

  private LockHolders() {}

  /** Returns the holder of a key; empty if the key is free. */
  public static Optional<LockHolder> of(Connection connection, AdvisoryLockKey key)
      throws SQLException {
    return of(connection, List.of(key)).stream().findFirst();
  }

  /** Returns the holders that are not recorders' sessions under the hosts' role. */
  public static List<LockHolder> foreignHolders(Connection connection, List<AdvisoryLockKey> keys)
      throws SQLException {
    return of(connection, keys).stream().filter(holder -> !holder.ours()).toList();
  }

  private static List<LockHolder> of(Connection connection, List<AdvisoryLockKey> keys)
      throws SQLException {
    try (SqlStatement statement = HOLDERS.on(connection)) {
      return statement
          .setArray("firsts", "bigint", keys.stream().map(LockHolders::first).toArray())
          .setArray("numbers", "bigint", keys.stream().map(AdvisoryLockKey::number).toArray())
          .setArray("hashed", "text", keys.stream().map(AdvisoryLockKey::hashed).toArray())
          .setArray("shared", "boolean", keys.stream().map(AdvisoryLockKey::shared).toArray())
          .all(row -> holder(row, keys));
    }
  }

  private static @Nullable Long first(AdvisoryLockKey key) {
    Integer first = key.first();
    return first == null ? null : Long.valueOf(first);
  }

  private static LockHolder holder(ResultSet row, List<AdvisoryLockKey> keys) throws SQLException {
    return new LockHolder(
        keys.get(row.getInt("place") - 1).what(),
        row.getInt("pid"),
        row.getString("role"),
        row.getString("application"),
        row.getString("address"),
        row.getString("since"),
        row.getString("gid"),
        row.getBoolean("ours"));
  }
}
