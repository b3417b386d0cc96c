package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who holds the locks of lockids. Any role may take any advisory lock, by accident or not: a
 * recorder whose lockid a stranger holds is recorded by nobody.
 */
public final class LockHolders {
  /**
   * Role and application are shown to all, address and times to members of the same role. What was
   * prepared has no session, but a lock on its own number. A session that is just ending has a lock
   * and no name any more: it holds it no longer than the next look.
   */
  private static final Sql HOLDERS =
      Sql.of(
          """
          SELECT l.objid::bigint AS lock_id, coalesce(l.pid, 0) AS pid,
            coalesce(a.usename, p.owner, '') AS role,
            coalesce(a.application_name, '') AS application,
            CASE WHEN a.backend_start IS NOT NULL
              THEN coalesce(a.client_addr::text, 'local') END AS address,
            coalesce(a.backend_start, p.prepared)::timestamptz(0)::text AS since, p.gid,
            coalesce(
              a.usename = current_user AND a.application_name LIKE 'recorder/%', false)
              AS ours
          FROM pg_locks l
          LEFT JOIN pg_stat_activity a USING (pid)
          LEFT JOIN pg_locks t ON l.pid IS NULL AND t.pid IS NULL AND t.granted
            AND t.locktype = 'transactionid' AND t.virtualtransaction = l.virtualtransaction
          LEFT JOIN pg_prepared_xacts p ON p.transaction = t.transactionid
          WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND l.classid::bigint = (:namespace::bigint & 4294967295)
            AND l.objid::bigint = ANY (:lockIds::bigint[])
            AND (l.pid IS NULL OR a.pid IS NOT NULL)
          ORDER BY 1, 2
          """);

  private final SchemaNames schemas;

  public LockHolders(SchemaNames schemas) {
    this.schemas = schemas;
  }

  /** Of one lockid; empty if it is free. */
  public Optional<LockHolder> of(Connection connection, int lockId) throws SQLException {
    return of(connection, Set.of(lockId)).stream().findFirst();
  }

  /** Those that are no program of ours, under the role of all machines. */
  public List<LockHolder> strangers(Connection connection, Set<Integer> lockIds)
      throws SQLException {
    return of(connection, lockIds).stream().filter(holder -> !holder.ours()).toList();
  }

  private List<LockHolder> of(Connection connection, Set<Integer> lockIds) throws SQLException {
    try (SqlStatement statement = HOLDERS.on(connection)) {
      return statement
          .set("namespace", schemas.lockNamespace())
          .set("lockIds", SqlArrays.sorted(lockIds))
          .all(LockHolders::holder);
    }
  }

  private static LockHolder holder(ResultSet row) throws SQLException {
    return new LockHolder(
        row.getInt("lock_id"),
        row.getInt("pid"),
        row.getString("role"),
        row.getString("application"),
        row.getString("address"),
        row.getString("since"),
        row.getString("gid"),
        row.getBoolean("ours"));
  }
}
