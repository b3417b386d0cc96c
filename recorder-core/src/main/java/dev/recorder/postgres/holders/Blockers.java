package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds the session or prepared transaction that blocked a statement which has given up. The
 * blocker holds, or awaits, a conflicting lock on one of the statement's tables. The same blocker
 * is described in the same words, so that a log repeats only changes.
 *
 * <p>The query takes no lock. It therefore finds partitions without {@code pg_partition_tree},
 * which does.
 */
public final class Blockers {
  /**
   * The shortest age of a blocking transaction with a weak lock: a younger one cannot have blocked
   * a statement that waited for seconds.
   */
  private static final String WAITED = "1 second";

  private static final Sql IN_THE_WAY =
      Sql.of(
          """
          WITH RECURSIVE tables AS (
            (SELECT to_regclass(name)::oid AS oid FROM unnest(:names::text[]) name
              UNION ALL SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              WHERE n.nspname = ANY (:schemas::text[]))
            UNION SELECT inhrelid FROM pg_inherits JOIN tables ON inhparent = oid)
          SELECT l.pid, p.gid, a.application_name, a.usename, l.mode, l.relation::regclass::text,
            coalesce(a.xact_start, p.prepared)::timestamptz(0)::text AS since
          FROM pg_locks l
          LEFT JOIN pg_stat_activity a ON a.pid = l.pid
          LEFT JOIN pg_locks t ON l.pid IS NULL AND t.pid IS NULL AND t.granted
            AND t.locktype = 'transactionid' AND t.virtualtransaction = l.virtualtransaction
          LEFT JOIN pg_prepared_xacts p ON p.transaction = t.transactionid
          WHERE l.locktype = 'relation' AND l.pid IS DISTINCT FROM pg_backend_pid()
            AND (l.pid IS NOT NULL OR p.gid IS NOT NULL)
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND l.relation IN (SELECT oid FROM tables)
            AND (l.mode IN (
                'AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')
              OR l.mode = ANY (:weak::text[]) AND l.granted
                AND coalesce(a.xact_start, p.prepared, '-infinity')
                  < clock_timestamp() - :waited::interval)
          ORDER BY l.mode = ANY (:weak::text[]), NOT l.granted,
            coalesce(a.xact_start, p.prepared),
            NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = l.relation), l.relation
          LIMIT 1
          """);

  private static final String[] WRITING = {"RowExclusiveLock", "RowShareLock"};

  /**
   * No weak lock counts: producers write to most tables of a schema and block no other statement.
   */
  private static final String[] NONE = {};

  private static final String[] ANY = {
    "RowExclusiveLock", "RowShareLock", "AccessShareLock", "ShareUpdateExclusiveLock"
  };

  private Blockers() {}

  /**
   * Returns the blocker as part of a message, beginning with a semicolon; empty if there is none
   * any more.
   */
  public static String of(Connection connection, List<String> tables) throws SQLException {
    return of(connection, List.of(), tables, WRITING);
  }

  /**
   * Returns the blocker on any relation of these schemas, including indexes and sequences, or on a
   * partition of their tables in another schema. For callers that do not know for which relation
   * the statement waited.
   *
   * @param written the tables in which the statement may have waited for a row lock
   */
  public static String inSchemas(Connection connection, List<String> schemas, List<String> written)
      throws SQLException {
    String who = of(connection, schemas, List.of(), NONE);
    return who.isEmpty() ? of(connection, written) : who;
  }

  /**
   * Returns the blocker of a statement that needs an exclusive lock, which also waits for readers.
   */
  public static String ofAnyLock(Connection connection, List<String> tables) throws SQLException {
    return of(connection, List.of(), tables, ANY);
  }

  private static String of(
      Connection connection, List<String> schemas, List<String> tables, String[] weak)
      throws SQLException {
    try (SqlStatement statement = IN_THE_WAY.on(connection)) {
      return statement
          .setArray("weak", "text", weak)
          .setArray("names", "text", tables.toArray())
          .setArray("schemas", "text", schemas.toArray())
          .set("waited", WAITED)
          .first(row -> "; blocked by " + sentence(row))
          .orElse("");
    }
  }

  private static String sentence(ResultSet row) throws SQLException {
    String gid = row.getString("gid");
    String since = row.getString("since");
    String what =
        " with "
            + row.getString("mode")
            + " on "
            + row.getString("relation")
            + ", in a transaction since ";
    String when = since == null ? "a time that only members of pg_read_all_stats may see" : since;
    if (gid != null) {
      return "the prepared transaction '"
          + gid
          + "'"
          + what
          + when
          + ": COMMIT PREPARED or ROLLBACK PREPARED it";
    }
    return "database session "
        + row.getString("pid")
        + " ("
        + row.getString("application_name")
        + ", role "
        + row.getString("usename")
        + ")"
        + what
        + when
        + ": let it end, or end it with pg_terminate_backend("
        + row.getString("pid")
        + ")";
  }
}
