package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The finding that a change of all rows of a captured table would fail: the server keeps old and
 * new row versions for the triggers in temporary files, whose size is limited.
 */
public final class TemporaryFiles {
  /**
   * Size of the temporary files of an UPDATE of all rows, as a multiple of the table's size.
   * docs/capture.md has the measurement.
   */
  private static final String TIMES = "5";

  private TemporaryFiles() {}

  /**
   * Returns the query for the finding, over {@code tree}, the tables of each capture. Sizes are
   * taken from statistics.
   */
  public static String finding() {
    return SqlTemplate.fill(FINDING, Map.of("times", TIMES));
  }

  private static final String FINDING =
      """
      SELECT recorder, captured, false, format('an UPDATE of all its rows takes some %s of temporary'
          ' files, {times} times its size, and fails: temp_file_limit is %s for %s; raise that, or'
          ' change fewer rows at a time', pg_size_pretty(needed), pg_size_pretty(bytes), whom),
          NULL::bigint, NULL::bigint
        FROM (
          SELECT recorder, captured, root, {times} * current_setting('block_size')::bigint
            * sum(greatest(c.relpages, 0))::bigint AS needed
          FROM tree JOIN pg_class c ON c.oid = below GROUP BY 1, 2, 3) AS t
        CROSS JOIN LATERAL (
          SELECT CASE WHEN value ~ '^[0-9]+$' THEN value::bigint * 1024
            ELSE pg_size_bytes(value) END AS bytes, whom
          FROM (
            SELECT split_part(item, '=', 2) AS value,
              CASE WHEN setrole <> 0 THEN format('role %s', setrole::regrole)
                ELSE 'all roles of this database' END AS whom
            FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS item
            WHERE item LIKE 'temp\\_file\\_limit=%'
              AND (setrole = 0 OR has_table_privilege(setrole, root, 'UPDATE'))
              AND setdatabase IN (0, (
                SELECT oid FROM pg_database WHERE datname = current_database()))) AS given
          WHERE value NOT LIKE '-%'
          ORDER BY 1 LIMIT 1) AS l
        WHERE bytes < needed\
      """;
}
