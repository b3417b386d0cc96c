package dev.recorder.capture.script;

import dev.recorder.capture.TextEncoding;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;

/**
 * The catalog query for the columns of a table that a rule captures. The set-up of a capture and
 * the triggers, after columns have changed, use the same text.
 *
 * <p>Its rows have {@code number}, {@code name}, {@code type}, {@code not_null}, {@code identity},
 * {@code generated}, {@code key_position}, {@code existing_rows}, {@code encoding}, and {@code
 * compared}: the COLLATE clause for comparing two values, so that only identical texts are equal,
 * whatever the column's own collation considers equal. All columns of a key must be captured, since
 * different rows may be equal in some of them.
 */
public final class ColumnQuery {
  /**
   * The hash by which a trigger notices that a column has changed. It covers all that its
   * statements and a {@code schema} row contain about columns. pg_upgrade does not change it: oids
   * of types and tables stay the same, and so do the server's hash functions, on which partitions
   * depend. Oids of collations change and are not part of it.
   */
  private static final String FINGERPRINT =
      """
      hash_array_extended(ARRAY(SELECT hash_record_extended(ROW(a.attnum, a.attname, a.atttypid,
              a.atttypmod, a.attnotnull, a.attidentity, a.attgenerated, a.attcollation <> 0), 0)
              # coalesce(hashtextextended({collation} COLLATE "C", 0), 0)
            FROM pg_attribute AS a
            WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum), 0)""";

  /**
   * The numbers of the key's columns, in the key's order.
   *
   * <p>Columns of {@code regclass} and similar types, or of types made of them, are not used for a
   * key: their values are written as names of objects, and the text changes when the object is
   * renamed.
   *
   * <p>An index with an operator class other than the type's default is not used either: it may
   * distinguish rows that a replay considers equal, such as text_ops with citext. The exception is
   * classes that differ from the default only in order, since their equality is the same.
   */
  private static final String KEYS =
      """
      FROM pg_index AS i
      JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE i.indrelid = {relation} AND i.indisunique AND i.indimmediate AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL
        AND NOT EXISTS (SELECT FROM pg_attribute AS n WHERE n.attrelid = i.indrelid
          AND n.attnum = ANY (i.indkey[0:(i.indnkeyatts - 1)])
          AND (NOT ({key_not_null} AND {key_chosen})
            OR EXISTS (SELECT FROM pg_type AS y JOIN pg_type AS e ON e.oid IN (y.oid, y.typelem)
              JOIN pg_proc AS o ON o.oid = e.typoutput
              WHERE y.oid = n.atttypid AND o.pronamespace = 'pg_catalog'::regnamespace
                AND o.proname LIKE 'reg%out')
            OR n.atttypid >= {first_of_users} AND EXISTS (
              WITH RECURSIVE made AS (
                SELECT n.atttypid AS oid
                UNION
                {parts})
              SELECT FROM made JOIN pg_type AS e ON e.oid = made.oid
              JOIN pg_proc AS o ON o.oid = e.typoutput
              WHERE o.pronamespace = 'pg_catalog'::regnamespace
                AND o.proname LIKE 'reg%out')))
        AND NOT EXISTS (SELECT FROM generate_subscripts(i.indclass, 1) AS place
          JOIN pg_opclass AS o ON o.oid = i.indclass[place]
          JOIN pg_attribute AS n ON n.attrelid = i.indrelid AND n.attnum = i.indkey[place]
          WHERE NOT (o.opcdefault OR o.oid < {first_of_users} AND o.opcname IN ('varchar_ops',
              'text_pattern_ops', 'varchar_pattern_ops', 'bpchar_pattern_ops'))
            OR n.atttypid <> o.opcintype AND EXISTS (
              WITH RECURSIVE bases AS (
                SELECT n.atttypid AS oid
                UNION
                SELECT y.typbasetype FROM bases JOIN pg_type AS y ON y.oid = bases.oid
                WHERE y.typtype = 'd')
              SELECT FROM bases JOIN pg_opclass AS d ON d.opcintype = bases.oid
              WHERE d.opcmethod = o.opcmethod AND d.opcdefault
                AND o.opcintype NOT IN (SELECT b.oid FROM bases AS b)))""";

  /** SQL expression: the numbers of an index's key columns. */
  private static final String NUMBERS = "i.indkey[0:(i.indnkeyatts - 1)]::smallint[]::int[]";

  private static final String KEY =
      """
      coalesce((
      SELECT {numbers} {keys}
      ORDER BY i.indisprimary DESC, i.indisreplident DESC, c.relname LIMIT 1), '{}')""";

  /**
   * {@code row_to_json} writes most of the server's types by their output function. It writes
   * dates, floats, arrays, {@code json} and users' types otherwise. For the server's types among
   * these, a cast to {@code text} is the output function.
   *
   * <p>Servers before 15 may write a {@code "char"} as a byte that is not valid text. If a value
   * may contain such a byte within, the statement fails, since a log has only valid text.
   */
  private static final String COLUMNS =
      """
      SELECT a.attnum AS number, a.attname AS name,
        format_type(a.atttypid, a.atttypmod) AS type, nullif({not_null}, false) AS not_null,
        CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END AS identity,
        CASE a.attgenerated WHEN 's' THEN 'stored' END AS generated, k.position AS key_position,
        {existing_rows} AS existing_rows,
        CASE WHEN {writes_bytes} AND '"char"'::regtype IN (t.oid, t.typbasetype) THEN {byte}
          WHEN {writes_bytes} AND (t.typcategory = 'A' AND t.typelem = '"char"'::regtype
              OR t.oid >= {first_of_users} AND t.typtype <> 'e')
            THEN 'CASE WHEN %1$s IS DISTINCT FROM NULL'
              ' THEN convert_from(convert_to(format(''%%s'', %1$s), ''UTF8''), ''UTF8'') END'
          WHEN t.typnamespace <> 'pg_catalog'::regnamespace OR t.oid >= {first_of_users}
              OR t.typtype NOT IN ('b', 'r', 'm')
            THEN 'CASE WHEN %1$s IS DISTINCT FROM NULL THEN format(''%%s'', %1$s) END'
          WHEN t.typcategory = 'A' OR t.typname IN ('float4', 'float8', 'date', 'timestamp',
              'timestamptz', 'json', 'jsonb')
            THEN '%1$s::text'
          ELSE '%1$s' END AS encoding,
        CASE WHEN a.attcollation <> 0 THEN ' COLLATE "C"' ELSE '' END AS compared
      FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
      LEFT JOIN unnest({key}) WITH ORDINALITY AS k (number, position) ON k.number = a.attnum
      WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated <> 'v' AND {chosen}""";

  /**
   * The encoding of {@code "char"} in the form of servers from 15 on. Earlier servers write a byte
   * that is no character unchanged, and no server can read the resulting text.
   */
  public static final TextEncoding BYTE =
      new TextEncoding(
          """
          CASE WHEN (%1$s)::"char"::int4 < 0 THEN encode(set_byte(decode('00', 'hex'), 0,
              (%1$s)::"char"::int4 & 255), 'escape') ELSE (%1$s)::"char"::text END\
          """);

  /** SQL condition: the server needs the encoding {@link #BYTE}. */
  public static final String WRITES_BYTES = "current_setting('server_version_num')::int < 150000";

  /** The first oid of objects that are not the server's own. */
  public static final String FIRST_OF_USERS = "16384";

  /**
   * The value that existing rows got when a column was added ({@code pg_attribute.attmissingval}).
   * Only tables with rows have such values. For a partitioned table they are in its partitions,
   * which are found without locking them. The value is the only element of an array, and its text
   * must not depend on the array type's delimiter.
   */
  static final String EXISTING_ROWS =
      """
      CASE WHEN a.atthasmissing THEN array_to_string(a.attmissingval, '')
          ELSE (WITH RECURSIVE below AS (
            SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = a.attrelid
            UNION ALL
            SELECT i.inhrelid FROM below JOIN pg_inherits AS i ON i.inhparent = below.inhrelid)
          SELECT array_to_string(p.attmissingval, '') FROM below
          JOIN pg_attribute AS p ON p.attrelid = below.inhrelid AND p.attname = a.attname
          WHERE p.atthasmissing AND p.xmin = a.xmin LIMIT 1) END""";

  private static final String NOT_NULL =
      """
      ({column}.attnotnull AND NOT EXISTS (SELECT FROM pg_constraint AS u
            WHERE u.conrelid = {column}.attrelid AND u.contype = 'n' AND NOT u.convalidated
              AND {column}.attnum = ANY (u.conkey)))""";

  private static final String COLLATION =
      """
      CASE WHEN {column}.attcollation NOT IN (0, '"default"'::regcollation)
          THEN {column}.attcollation::regcollation::text END""";

  private ColumnQuery() {}

  /**
   * Returns the SQL condition that no row has NULL in a column. Servers from 18 on also mark a
   * column as NOT NULL if the constraint is NOT VALID and existing rows may have NULL.
   *
   * @param column alias of its row of {@code pg_attribute}
   */
  public static String notNull(String column) {
    return SqlTemplate.fill(NOT_NULL, Map.of("column", column));
  }

  /**
   * Returns the query, without ORDER BY.
   *
   * @param relation SQL expression of the table's oid
   */
  public static String columns(String relation, ChosenColumns chosen) {
    return SqlTemplate.fill(
        COLUMNS,
        Map.ofEntries(
            Map.entry("relation", relation),
            Map.entry("key", key(relation, chosen)),
            Map.entry("existing_rows", EXISTING_ROWS),
            Map.entry("first_of_users", FIRST_OF_USERS),
            Map.entry("writes_bytes", WRITES_BYTES),
            Map.entry("byte", Quoted.literal(BYTE.pattern())),
            Map.entry("not_null", notNull("a")),
            Map.entry("chosen", chosen.has("a"))));
  }

  /**
   * Returns an SQL expression for the numbers of the key's columns; empty if there is no key whose
   * columns are all captured.
   *
   * @param relation SQL expression of the table's oid
   */
  public static String key(String relation, ChosenColumns chosen) {
    return SqlTemplate.fill(KEY, Map.of("numbers", NUMBERS, "keys", keys(relation, chosen)));
  }

  private static String keys(String relation, ChosenColumns chosen) {
    return SqlTemplate.fill(
        KEYS,
        Map.of(
            "relation",
            relation,
            "parts",
            ValueMarks.PARTS,
            "first_of_users",
            FIRST_OF_USERS,
            "key_not_null",
            notNull("n"),
            "key_chosen",
            chosen.has("n")));
  }

  /**
   * Returns an SQL expression for the name of a column's collation, printed with a search_path
   * without users' schemas; NULL if there is none, or if it is the database's default. The name is
   * used because pg_upgrade changes the oid.
   *
   * @param column alias of its row of {@code pg_attribute}
   */
  static String collation(String column) {
    return SqlTemplate.fill(COLLATION, Map.of("column", column));
  }

  /**
   * Returns an SQL expression for the hash of a table's columns.
   *
   * @param relation SQL expression of the table's oid
   */
  public static String fingerprint(String relation) {
    return SqlTemplate.fill(FINGERPRINT, Map.of("relation", relation, "collation", collation("a")));
  }

  /**
   * Presumes unchanged columns. Then the key is unchanged if the primary key is. Without a primary
   * key, it is unchanged if all candidate indexes are, up to the last one with the key's columns;
   * an earlier one with the same columns may have another operator class. Most tables have a
   * primary key that is also their replica identity, for which {@code
   * pg_get_replica_identity_index} is a cheap test. This function locks the table. So it is not
   * called for a partitioned table, which a statement on a partition does not lock.
   */
  private static final String KEY_HAS_CHANGED =
      """
      (WITH places AS (
          SELECT i.indexrelid, i.indisprimary, i.indkey[0:(i.indnkeyatts - 1)]::smallint[]::int[] = {key}
              AS is_key, row_number() OVER (ORDER BY i.indisprimary DESC, i.indisreplident DESC,
                c.relname) AS place, concat_ws(' ', i.indkey, i.indnkeyatts, i.indclass) AS content
          FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
          WHERE i.indrelid = {relation} AND i.indisunique AND i.indimmediate AND i.indisvalid
            AND i.indpred IS NULL AND i.indexprs IS NULL),
        its AS (SELECT p.* FROM places AS p WHERE p.is_key ORDER BY p.place DESC LIMIT 1)
      SELECT coalesce((
          SELECT concat(CASE WHEN c.relkind = 'r' THEN
              format('pg_get_replica_identity_index({later}) IS DISTINCT FROM %s::regclass AND ',
                i.indexrelid::oid) END,
            format('NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = {later} AND'
              ' i.indisprimary AND i.indimmediate AND i.indisvalid'
              ' AND concat_ws('' '', i.indkey, i.indnkeyatts, i.indclass) = %L)', i.content))
          FROM its AS i JOIN pg_class AS c ON c.oid = {relation} WHERE i.indisprimary),
        format('array_to_string(ARRAY(SELECT concat_ws('' '', i.indkey, i.indnkeyatts, i.indclass)'
          ' FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid'
          ' WHERE i.indrelid = {later} AND i.indisunique AND i.indimmediate AND i.indisvalid'
          ' AND i.indpred IS NULL AND i.indexprs IS NULL'
          ' ORDER BY i.indisprimary DESC, i.indisreplident DESC, c.relname LIMIT %s), '','') <> %L',
          coalesce((SELECT i.place::text FROM its AS i), 'ALL'),
          coalesce((SELECT string_agg(p.content, ',' ORDER BY p.place) FROM places AS p
            WHERE p.place <= coalesce((SELECT i.place FROM its AS i), p.place)), ''))))""";

  /**
   * Returns an SQL expression whose result is the text of an SQL condition, with the placeholder
   * {@code relation}: the key of that table has changed, provided that its columns have not. The
   * condition may be true for an unchanged key.
   *
   * @param relation SQL expression of the table's oid
   * @param key the numbers of the key's columns
   */
  public static String keyHasChanged(String relation, List<Integer> key) {
    return SqlTemplate.fill(
        KEY_HAS_CHANGED,
        Map.of(
            "relation",
            relation,
            "later",
            "{relation}",
            "key",
            Quoted.literal(key.toString().replace('[', '{').replace(']', '}')) + "::int[]"));
  }

  private static final String TYPE_NUMBERS =
      """
      ARRAY(SELECT a.atttypid FROM pg_attribute AS a
          WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
          ORDER BY a.attnum)""";

  /**
   * Returns an SQL expression for the oids of the columns' types.
   *
   * @param relation SQL expression of the table's oid
   */
  public static String typeNumbers(String relation) {
    return SqlTemplate.fill(TYPE_NUMBERS, Map.of("relation", relation));
  }

  /**
   * Only NULLs are evaluated. A row as JSON shows the names and order of its columns. Both parts of
   * a recursive query must agree in the type of each column and its length or precision, which
   * tests these. Lengths of users' types are not tested, since adapting a value to a length may
   * call a function of the type's owner.
   */
  private static final String SHAPE =
      """
      (SELECT concat_ws(' AND ',
            format('(SELECT row_to_json(x.*)::text FROM (SELECT r.*) AS x) = %L',
              '{' || string_agg(to_json(a.attname::text) || ':null', ',' ORDER BY a.attnum) || '}'),
            string_agg(format('pg_typeof(r.%I) = %s::oid', a.attname, a.atttypid)
              || CASE WHEN a.attcollation <> 0 THEN format(' AND pg_collation_for(r.%I) = %L',
                a.attname, a.attcollation::regcollation) ELSE '' END, ' AND ' ORDER BY a.attnum),
            '(WITH RECURSIVE n AS (SELECT '
              || string_agg(format('NULL::%s%s', format_type(a.atttypid, a.atttypmod), s.compared),
                ', ' ORDER BY a.attnum) FILTER (WHERE s.is_sized)
              || ' UNION ALL SELECT '
              || string_agg(format('r.%I%s', a.attname, s.compared), ', ' ORDER BY a.attnum)
                FILTER (WHERE s.is_sized)
              || ' FROM n WHERE false) SELECT true FROM n)')
          FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
          CROSS JOIN LATERAL (SELECT
            a.atttypmod >= 0 AND t.typnamespace = 'pg_catalog'::regnamespace AS is_sized,
            CASE WHEN a.attcollation <> 0 THEN ' COLLATE "C"' ELSE '' END AS compared) AS s
          WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped)""";

  /**
   * Returns an SQL expression whose result is the text of an SQL condition: a row {@code r} has the
   * columns of a table, with the same order, names, types, lengths or precisions, and collations.
   * If the condition fails with the SQLSTATE of an unknown column or a wrong type, the row does not
   * have these columns.
   *
   * @param relation SQL expression of the table's oid
   */
  public static String shape(String relation) {
    return SqlTemplate.fill(SHAPE, Map.of("relation", relation));
  }
}
