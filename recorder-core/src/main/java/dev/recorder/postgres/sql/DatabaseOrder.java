package dev.recorder.postgres.sql;

/**
 * In what order a database has texts whose collation is its default, as a text that two databases
 * have in common only if they have that order in common.
 */
public final class DatabaseOrder {
  /** That of code points. */
  public static final String CODE_POINTS = "C";

  /**
   * It as an SQL expression, NULL if it cannot be told: nothing says which version of a locale a
   * server before PostgreSQL 15 has. The columns of {@code pg_database} are others in each version.
   */
  public static final String SQL =
      """
      (SELECT CASE WHEN d.provider = 'b' OR d.provider = 'c' AND d.row ->> 'datcollate'
              ~ '^(C|POSIX|C[.][^.@]*)$' THEN 'C'
            WHEN d.row ->> 'datcollversion' IS NOT NULL THEN concat_ws(' ', d.provider,
              CASE WHEN d.provider = 'c' THEN d.row ->> 'datcollate'
                ELSE coalesce(d.row ->> 'datlocale', d.row ->> 'daticulocale') END,
              d.row ->> 'datcollversion', d.row ->> 'daticurules') END
          FROM (SELECT to_jsonb(b.*) AS row, coalesce(to_jsonb(b.*) ->> 'datlocprovider', 'c') AS provider
            FROM pg_database AS b WHERE b.datname = current_database()) AS d)""";

  private DatabaseOrder() {}
}
