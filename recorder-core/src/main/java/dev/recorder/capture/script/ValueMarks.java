package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * What the values of a table's rows depend on beside statements on it, as an array of texts: each a
 * letter and a number, which name a thing, and what it is like. A statement that changes a label of
 * an enum or the attributes of a type changes values in no row, so that no trigger sees it; nor
 * does one see ALTER TABLE, or VACUUM FULL, write into rows what a new column has in them.
 *
 * <p>{@code e} are labels of enums, {@code t} attributes of composite types, {@code a} columns,
 * {@code d} those of them whose values a {@code schema} row could not tell, {@code f} files. Labels
 * and columns that come are not among those before, so that they alone are no change.
 */
public final class ValueMarks {
  /** Of which types those are made that {@code made} has so far, as its recursive part. */
  public static final String PARTS =
      """
      SELECT p.part FROM made JOIN pg_type AS t ON t.oid = made.oid
          CROSS JOIN LATERAL (
            SELECT t.typelem AS part
            UNION ALL SELECT t.typbasetype
            UNION ALL SELECT r.rngsubtype FROM pg_range AS r
              WHERE t.oid IN (r.rngtypid, r.rngmultitypid)
            UNION ALL SELECT b.atttypid FROM pg_attribute AS b
              WHERE b.attrelid = t.typrelid AND b.attnum > 0 AND NOT b.attisdropped) AS p
          WHERE p.part <> 0""";

  private static final String MARKS =
      """
      ARRAY(WITH RECURSIVE captured AS (
          SELECT a.attnum, a.atttypid,
            concat(a.attnum, ' ', a.atttypid, ' ', CASE WHEN a.attgenerated <> ''
              THEN md5(d.adbin::text) END) AS mark,
            (a.atthasdef OR a.attidentity <> '' OR a.attnotnull)
              AND ({existing_rows}) IS NULL AS is_unknown
          FROM pg_attribute AS a
          LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attgenerated <> 'v' AND NOT a.attname = ANY ({except}::text[])
            AND ({only}::text[] = '{}' OR a.attname = ANY ({only}::text[]))),
        made AS (
          SELECT c.atttypid AS oid FROM captured AS c
          UNION
          {parts}),
        files AS (
          SELECT {relation}::oid AS oid
          UNION ALL
          SELECT i.inhrelid FROM files JOIN pg_inherits AS i ON i.inhparent = files.oid)
        SELECT 'a' || c.mark FROM captured AS c
        UNION ALL
        SELECT format('d%s ', c.attnum) FROM captured AS c WHERE c.is_unknown
        UNION ALL
        SELECT format('e%s %s', e.oid, e.enumlabel)
        FROM made JOIN pg_enum AS e ON e.enumtypid = made.oid
        UNION ALL
        SELECT format('t%s %s', t.oid, string_agg(format('%s %s', b.attnum, b.atttypid), ', '
          ORDER BY b.attnum))
        FROM made JOIN pg_type AS t ON t.oid = made.oid
        JOIN pg_attribute AS b ON b.attrelid = t.typrelid AND b.attnum > 0 AND NOT b.attisdropped
        GROUP BY t.oid
        UNION ALL
        SELECT format('f%s %s', f.oid, f.relfilenode)
        FROM files JOIN pg_class AS f ON f.oid = files.oid AND f.relfilenode <> 0)""";

  /**
   * A change of columns alone, or of files alone, is none of values; nor is one to a type that
   * takes all values of the former, which replays change in the same way.
   */
  private static final String HAVE_CHANGED =
      """
      (SELECT p.letters && '{e,t}' OR 'f' = ANY (p.letters) AND ('a' = ANY (p.letters) OR EXISTS (
            SELECT FROM unnest(m.now) AS d WHERE d LIKE 'd%' AND NOT EXISTS (
              SELECT FROM unnest(m.before) AS a
              WHERE split_part(a, ' ', 1) = 'a' || substr(split_part(d, ' ', 1), 2))))
        FROM (SELECT {before} AS before, {now} AS now OFFSET 0) AS m
        CROSS JOIN LATERAL (SELECT ARRAY(SELECT left(n, 1) FROM unnest(m.now) AS n
          JOIN unnest(m.before) AS b ON split_part(b, ' ', 1) = split_part(n, ' ', 1)
          WHERE b <> n AND NOT CASE WHEN n LIKE 'a%' THEN EXISTS (SELECT FROM pg_cast AS c
            WHERE c.castsource <> c.casttarget AND c.castcontext = 'i'
              AND c.castsource = split_part(b, ' ', 2)::oid
              AND c.casttarget = split_part(n, ' ', 2)::oid) ELSE false END) AS letters) AS p)""";

  private ValueMarks() {}

  /**
   * The marks of a table as an SQL expression.
   *
   * @param relation SQL expression of the table's oid
   * @param only SQL expression of the columns that alone are captured, empty for all
   * @param except SQL expression of those that are not
   */
  public static String of(String relation, String only, String except) {
    return SqlTemplate.fill(
        MARKS,
        Map.of(
            "relation", relation,
            "only", only,
            "except", except,
            "parts", PARTS,
            "existing_rows", ColumnQuery.EXISTING_ROWS));
  }

  /** Whether values may be others than the log has, as an SQL expression over marks of a table. */
  public static String haveChanged(String before, String now) {
    return SqlTemplate.fill(HAVE_CHANGED, Map.of("before", before, "now", now));
  }
}
