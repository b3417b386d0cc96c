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
 * {@code d} those of them whose values a {@code schema} row could not tell, {@code m} those of
 * these that rows of a partition have and lack at once, as those of a column that was added with a
 * default, {@code f} files. Labels and columns that come are not among those before, so that they
 * alone are no change.
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
            ({existing_rows}) IS NULL AS is_unknown, a.attname
          FROM pg_attribute AS a
          LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attgenerated <> 'v' AND {chosen}),
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
        SELECT format('m%s ', c.attnum) FROM captured AS c
        WHERE c.is_unknown AND EXISTS (SELECT FROM files JOIN pg_attribute AS p
          ON p.attrelid = files.oid AND p.attname = c.attname AND p.atthasmissing)
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
   * Whether each text of a value of the type {@code was} is read by {@code becomes} as what a cast
   * makes of that value, in whatever session, so that replays change it in the same way.
   */
  private static final String KEEPS_TEXTS =
      """
      (array_position(n.numbers, c.was) < array_position(n.numbers, c.becomes)
            OR c.was = 'bpchar'::regtype AND c.becomes IN ('text'::regtype, 'varchar'::regtype)
            OR c.was = 'date'::regtype AND c.becomes = 'timestamp'::regtype)""";

  /**
   * A change of columns alone, or of files alone, is none of values: {@code a} are columns that
   * have changed, {@code k} those whose type is one that keeps texts. A type that takes values as
   * they are stored ({@code s}) needs no new file: something else has written it, which may be
   * {@code USING}, whatever other columns have changed with it. A new column does not show what
   * rows have in it after its default was dropped, but the file is another one then.
   */
  private static final String HAVE_CHANGED =
      """
      (SELECT p.letters && '{e,t}' OR 'f' = ANY (p.letters) AND p.letters && '{a,s}'
          OR EXISTS (SELECT FROM unnest(m.now) AS d
            WHERE (d LIKE 'm%' OR d LIKE 'd%' AND 'f' = ANY (p.letters)) AND NOT EXISTS (
              SELECT FROM unnest(m.before) AS a
              WHERE split_part(a, ' ', 1) = 'a' || substr(split_part(d, ' ', 1), 2)))
        FROM (SELECT {before} AS before, {now} AS now OFFSET 0) AS m
        CROSS JOIN LATERAL (SELECT ARRAY(
          SELECT CASE WHEN now.mark NOT LIKE 'a%'
              OR split_part(now.mark, ' ', 3) <> split_part(before.mark, ' ', 3)
              THEN left(now.mark, 1)
            ELSE (SELECT CASE WHEN {keeps_texts} THEN 'k'
                  WHEN EXISTS (SELECT FROM pg_cast AS b WHERE b.castmethod = 'b'
                    AND b.castsource = c.was AND b.casttarget = c.becomes) THEN 's'
                  ELSE 'a' END
              FROM (SELECT split_part(before.mark, ' ', 2)::oid::regtype AS was,
                split_part(now.mark, ' ', 2)::oid::regtype AS becomes) AS c,
              (SELECT '{int2,int4,int8,numeric,float8}'::regtype[] AS numbers) AS n) END
          FROM unnest(m.now) AS now (mark) JOIN unnest(m.before) AS before (mark)
            ON split_part(before.mark, ' ', 1) = split_part(now.mark, ' ', 1)
          WHERE before.mark <> now.mark) AS letters) AS p)""";

  private ValueMarks() {}

  /**
   * The marks of a table as an SQL expression.
   *
   * @param relation SQL expression of the table's oid
   * @param chosen the columns that are captured
   */
  public static String of(String relation, ChosenColumns chosen) {
    return SqlTemplate.fill(
        MARKS,
        Map.of(
            "relation",
            relation,
            "chosen",
            chosen.has("a"),
            "parts",
            PARTS,
            "existing_rows",
            ColumnQuery.EXISTING_ROWS));
  }

  /** Whether values may be others than the log has, as an SQL expression over marks of a table. */
  public static String haveChanged(String before, String now) {
    return SqlTemplate.fill(
        HAVE_CHANGED, Map.of("before", before, "now", now, "keeps_texts", KEEPS_TEXTS));
  }
}
