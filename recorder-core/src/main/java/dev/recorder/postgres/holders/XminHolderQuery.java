package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Finds the session, prepared transaction, replication slot or standby's feedback that holds back
 * the xmin horizon of this database the furthest. Needs no rights: pid, application and horizon of
 * other roles' sessions are visible to all.
 *
 * <p>A writing transaction holds the horizon back by its own number, even while idle. A snapshot
 * taken meanwhile, on a standby too, shows the same number but holds nothing back.
 *
 * <p>A vacuum shows a horizon but holds none back. Logical slots hold back the catalog horizon,
 * which is left out, as the recorder's tables are not catalogs.
 */
public final class XminHolderQuery {
  private static final Sql OLDEST =
      Sql.of(
          """
          SELECT what, xmin::text FROM (
            SELECT format('database session %s (%s, role %s): end its transaction, or end it with'
                ' pg_terminate_backend(%1$s)',
                a.pid, coalesce(a.application_name, ''), a.usename) AS what,
              oldest.xmin, oldest.xmin = a.backend_xid AS is_own
            FROM pg_stat_activity a CROSS JOIN LATERAL (
              SELECT CASE
                WHEN a.backend_xmin IS NULL OR age(a.backend_xid) >= age(a.backend_xmin)
                THEN a.backend_xid ELSE a.backend_xmin END AS xmin) oldest
            WHERE oldest.xmin IS NOT NULL AND a.datname = current_database()
              AND a.pid <> pg_backend_pid()
              AND NOT EXISTS (SELECT FROM pg_stat_replication r WHERE r.pid = a.pid)
              AND NOT EXISTS (SELECT FROM pg_stat_progress_vacuum v WHERE v.pid = a.pid)
            UNION ALL
            SELECT format('the prepared transaction ''%s'' of role %s: COMMIT PREPARED or'
                ' ROLLBACK PREPARED it', gid, owner),
              transaction, true
            FROM pg_prepared_xacts WHERE database = current_database()
            UNION ALL
            SELECT format('replication slot %s: let its standby catch up, or drop the slot',
                slot_name),
              xmin, false
            FROM pg_replication_slots WHERE xmin IS NOT NULL
            UNION ALL
            SELECT format('the feedback of the standby behind session %s (%s): end the queries'
                ' there, or set hot_standby_feedback = off',
                r.pid, coalesce(r.application_name, '')),
              r.backend_xmin, false
            FROM pg_stat_replication r WHERE r.backend_xmin IS NOT NULL
          ) holders
          ORDER BY age(xmin) DESC, is_own DESC NULLS LAST
          LIMIT 1
          """);

  private XminHolderQuery() {}

  public static Optional<XminHolder> oldest(Connection connection) throws SQLException {
    try (SqlStatement statement = OLDEST.on(connection)) {
      return statement.first(row -> new XminHolder(row.getString(1), row.getString(2)));
    }
  }
}
