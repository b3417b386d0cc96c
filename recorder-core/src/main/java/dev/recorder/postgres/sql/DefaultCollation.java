package dev.recorder.postgres.sql;

/**
 * The order of texts with the database's default collation, as a text that is equal for two
 * databases only if they share the order.
 */
public final class DefaultCollation {
  /** The order of code points. */
  public static final String CODE_POINTS = "C";

  /**
   * SQL expression for the order; NULL if it is unknown, since a server before PostgreSQL 15 does
   * not tell the version of a locale. Read through JSON, as the columns of {@code pg_database}
   * differ between versions.
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

  private DefaultCollation() {}
}
