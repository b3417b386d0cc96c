package dev.recorder.capture.script;

import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Finds functions of other roles that the server may run with the rights of a role that only names
 * a table.
 *
 * <p>The planner evaluates the constant parts of a table's index expressions and extended
 * statistics. Every use of a partition key evaluates the key's constant parts. A role that may
 * create these can put functions into them that are declared IMMUTABLE.
 */
public final class ForeignCode {
  private static final String FIRST =
      """
      SELECT format('%s uses %s, which the server may run {when}, with the rights of role %I: its'
          ' owner %I could have it do anything with them. Let it belong to a superuser (ALTER'
          ' FUNCTION %s OWNER TO ...), or let a role {act} that %4$I may act as',
          pg_describe_object(k.classid, k.oid, 0),
          pg_describe_object('pg_proc'::regclass, p.oid, 0), current_user, o.rolname,
          p.oid::regprocedure)
      FROM ({things}) AS k (classid, oid)
      JOIN pg_depend AS d ON d.classid = k.classid AND d.objid = k.oid AND d.objsubid = 0
        AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
      LEFT JOIN pg_operator AS x
        ON d.refclassid = 'pg_operator'::regclass AND x.oid = d.refobjid
      JOIN pg_proc AS p ON p.oid = coalesce(x.oprcode::oid, d.refobjid)
      JOIN pg_roles AS o ON o.oid = p.proowner
      WHERE NOT pg_has_role(p.proowner, current_user, 'MEMBER')
      LIMIT 1""";

  private static final String TABLES =
      """
      SELECT 'pg_class'::regclass AS classid, {table}::oid AS oid
      UNION SELECT 'pg_class'::regclass, t.relid FROM pg_partition_tree({table}::oid::regclass) AS t\
      """;

  private static final String PLANNED =
      """
      WITH read AS ({tables})
      SELECT r.classid, r.oid FROM read AS r
      UNION ALL SELECT r.classid, i.indexrelid
      FROM read AS r JOIN pg_index AS i ON i.indrelid = r.oid
      UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid
      FROM read AS r JOIN pg_statistic_ext AS s ON s.stxrelid = r.oid""";

  private ForeignCode() {}

  /**
   * Returns a query for the reason not to read a table. It has no row if no code of other roles
   * would run.
   *
   * @param table SQL expression of the table's oid
   */
  public static String ofReading(String table) {
    return first(
        SqlTemplate.fill(PLANNED, Map.of("tables", tables(table))),
        "while it plans to read the table",
        "take the snapshot");
  }

  /**
   * Returns a query for the reason not to change a partitioned table.
   *
   * @param table SQL expression of the table's oid
   */
  static String ofPartitionKeys(String table) {
    return first(tables(table), "while it creates a trigger", "create them");
  }

  private static String tables(String table) {
    return SqlTemplate.fillFromShared(TABLES, Map.of("table", table));
  }

  private static String first(String things, String when, String act) {
    return SqlTemplate.fill(FIRST, Map.of("things", things, "when", when, "act", act));
  }
}
