package dev.recorder.postgres.sql;

/**
 * Identifies the order of texts by the database's default collation: two databases have an equal
 * text only if they order texts in the same way.
 */
public final class DefaultCollation {
  /** The order of code points. */
  public static final String CODE_POINTS = "C";

  /**
   * SQL expression for the order. NULL if the order is unknown, as before PostgreSQL 15, which does
   * not report the version of a locale. Columns are read through JSON, as those of {@code
   * pg_database} differ between versions.
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
