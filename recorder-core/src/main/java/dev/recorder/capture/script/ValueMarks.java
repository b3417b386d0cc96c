package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Marks of all that may change values in a table without firing a trigger. They are an array of
 * texts. Each begins with a letter and a number, which identify an object, followed by the object's
 * state. A change of an enum's label or of a composite type's attributes rewrites no row, so no
 * trigger fires. No trigger fires either when ALTER TABLE or VACUUM FULL writes the value of a new
 * column into existing rows.
 *
 * <p>Letters: {@code e} labels of enums; {@code t} attributes of composite types; {@code a} types
 * of columns; {@code x} the transactions that last wrote the columns in the catalog, for partitions
 * only of generated columns, since only these may change in a single partition; {@code d} columns
 * whose value in existing rows a {@code schema} row could not contain; {@code m} such columns that
 * some rows of a partition do not store yet, as after adding a column with a default; {@code f}
 * files. New labels and columns have no earlier mark, so they alone are no change.
 */
public final class ValueMarks {
  /** The recursive part of the query {@code made}: the types of which its types are made. */
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
          SELECT a.attnum, a.atttypid, ({existing_rows}) IS NULL AS is_unknown, a.attname
          FROM pg_attribute AS a
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
        SELECT format('a%s %s', c.attnum, c.atttypid) FROM captured AS c
        UNION ALL
        SELECT format('x%s.%s %s %s %s', files.oid, p.attnum, p.atttypid, p.xmin, s.xmin)
        FROM files
        JOIN pg_attribute AS s ON s.attrelid = files.oid AND s.attnum = -1
        JOIN pg_attribute AS p ON p.attrelid = files.oid AND p.attnum > 0
          AND (files.oid = {relation} OR p.attgenerated = 's')
        JOIN captured AS c ON c.attname = p.attname
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
        SELECT format('f%s %s %s', f.oid, f.relfilenode, f.reltoastrelid)
        FROM files JOIN pg_class AS f ON f.oid = files.oid AND f.relfilenode <> 0)""";

  /**
   * SQL condition: for each value of the type {@code was}, the type {@code becomes} reads the
   * value's text as the same value as a cast gives, in every session. So a replay changes values in
   * the same way.
   */
  private static final String KEEPS_TEXTS =
      """
      (array_position(n.numbers, n.was) < array_position(n.numbers, n.becomes)
            OR n.was = 'bpchar'::regtype AND n.becomes IN ('text'::regtype, 'varchar'::regtype)
            OR n.was = 'date'::regtype AND n.becomes = 'timestamp'::regtype)""";

  /**
   * SQL condition: values keep their text and their stored form, so that ALTER TABLE writes no
   * file. This holds for a domain and its base type, and for types whose output functions write the
   * same text. Other types with the same stored form, such as text and xml, write values
   * differently.
   */
  private static final String KEEPS_STORED =
      """
      (WITH RECURSIVE made AS (
            SELECT unnest(ARRAY[n.was, n.becomes])::oid AS oid
            UNION ALL
            SELECT CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
            FROM made JOIN pg_type AS t ON t.oid = made.oid
            WHERE t.typtype = 'd' OR t.typcategory = 'A')
          SELECT count(*) = 2 AND count(DISTINCT CASE
              WHEN o.prosrc IN ('textout', 'varcharout', 'bpcharout') THEN 'text'
              WHEN o.prosrc IN ('cidr_out', 'inet_out') THEN 'inet'
              WHEN o.prosrc IN ('bit_out', 'varbit_out') THEN 'bit'
              WHEN o.prosrc IN ('timestamp_out', 'timestamptz_out') THEN 'timestamp'
              ELSE t.oid::text END) = 1
          FROM made JOIN pg_type AS t ON t.oid = made.oid JOIN pg_proc AS o ON o.oid = t.typoutput
          WHERE t.typtype <> 'd' AND t.typcategory <> 'A')""";

  /**
   * A changed file alone means no changed values. Neither does a column's new type if the table has
   * no file, or if the type keeps the texts ({@code k}). A type that keeps the stored form ({@code
   * s}) needs no new file: if there is one, something else has written it, possibly {@code USING}.
   * {@code a}: columns with any other new type. {@code o}: files, changed or not. If the default of
   * a new column was dropped, the catalog no longer shows the column's value in existing rows, but
   * then the file has changed.
   *
   * <p>{@code x}: columns of unchanged type whose catalog row has changed. If ALTER TABLE rewrites
   * the rows, the table gets a TOAST table with another oid ({@code w}). VACUUM FULL keeps that oid
   * ({@code f}). Without a TOAST table it may have been either ({@code r}). pg_upgrade writes the
   * catalog rows of all columns anew, including system columns ({@code y}), and keeps files.
   */
  private static final String HAVE_CHANGED =
      """
      (SELECT p.letters && '{e,t}' OR p.letters @> '{a,o}'
          OR p.letters && '{f,r,w}' AND 's' = ANY (p.letters)
          OR p.letters && '{r,w}' AND 'x' = ANY (p.letters) OR p.letters @> '{w,y}'
          OR EXISTS (SELECT FROM unnest(m.now) AS d
            WHERE (d LIKE 'm%' OR d LIKE 'd%' AND p.letters && '{f,r,w}') AND NOT EXISTS (
              SELECT FROM unnest(m.before) AS a
              WHERE split_part(a, ' ', 1) = 'a' || substr(split_part(d, ' ', 1), 2)))
        FROM (SELECT {before} AS before, {now} AS now OFFSET 0) AS m
        CROSS JOIN LATERAL (SELECT ARRAY(
          SELECT CASE left(c.name, 1)
            WHEN 'a' THEN CASE WHEN c.was = c.becomes THEN ''
              ELSE (SELECT CASE WHEN {keeps_texts} THEN 'k' WHEN {keeps_stored} THEN 's' ELSE 'a' END
                FROM (SELECT c.was::oid::regtype AS was, c.becomes::oid::regtype AS becomes,
                  '{int2,int4,int8,numeric,float8}'::regtype[] AS numbers) AS n) END
            WHEN 'x' THEN CASE WHEN c.was <> c.becomes THEN ''
              WHEN split_part(c.before, ' ', 4) = split_part(c.now, ' ', 4) THEN 'x'
              ELSE 'y' END
            WHEN 'f' THEN CASE WHEN c.was = c.becomes THEN ''
              WHEN split_part(c.before, ' ', 3) <> split_part(c.now, ' ', 3) THEN 'w'
              WHEN split_part(c.now, ' ', 3) = '0' THEN 'r'
              ELSE 'f' END
            ELSE left(c.name, 1) END
          FROM (SELECT split_part(now.mark, ' ', 1) AS name, before.mark AS before,
              now.mark AS now, split_part(before.mark, ' ', 2) AS was,
              split_part(now.mark, ' ', 2) AS becomes
            FROM unnest(m.now) AS now (mark) JOIN unnest(m.before) AS before (mark)
              ON split_part(before.mark, ' ', 1) = split_part(now.mark, ' ', 1)
            WHERE before.mark <> now.mark) AS c
          UNION ALL
          SELECT 'o' FROM unnest(m.now) AS now (mark) JOIN unnest(m.before) AS before (mark)
            ON split_part(before.mark, ' ', 1) = split_part(now.mark, ' ', 1)
          WHERE now.mark LIKE 'f%') AS letters) AS p)""";

  private ValueMarks() {}

  /**
   * Returns an SQL expression for the marks of a table.
   *
   * @param relation SQL expression of the table's oid
   * @param chosen the choice of captured columns
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

  /**
   * Returns the SQL condition that values may differ from the log, from earlier and present marks
   * of a table.
   */
  public static String haveChanged(String before, String now) {
    return SqlTemplate.fill(
        HAVE_CHANGED,
        Map.of(
            "before", before,
            "now", now,
            "keeps_texts", KEEPS_TEXTS,
            "keeps_stored", KEEPS_STORED));
  }
}
