package dev.recorder.capture.postgres;

import dev.recorder.capture.TableName;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The functions that reading a table may run with the rights of the role that reads.
 *
 * <p>A planner evaluates what is constant in the expressions of a table's indexes, of its extended
 * statistics and of partition keys, whatever the query is. Who may create these may have functions
 * in them that call themselves immutable. A snapshot locks rows, so that no role that may only read
 * can take it instead. Constraints are not met while {@code constraint_exclusion} is off.
 */
final class CodeOfReading {
  private static final Sql FOREIGN =
      Sql.of(
          """
          WITH read AS (SELECT :table::oid AS oid
            UNION SELECT t.relid FROM pg_partition_tree(:table::oid::regclass) t),
          planned AS (
            SELECT 'pg_class'::regclass AS classid, r.oid FROM read r
            UNION ALL SELECT 'pg_class'::regclass, i.indexrelid
            FROM read r JOIN pg_index i ON i.indrelid = r.oid
            UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid
            FROM read r JOIN pg_statistic_ext s ON s.stxrelid = r.oid)
          SELECT format('%s uses %s, which the server may run while it plans to read the table,'
              ' with the rights of role %I: its owner %I could have it do anything with them.'
              ' Let it belong to a superuser (ALTER FUNCTION %s OWNER TO ...), or let a role take'
              ' the snapshot that %4$I may act as', pg_describe_object(k.classid, k.oid, 0),
              pg_describe_object('pg_proc'::regclass, p.oid, 0), current_user, o.rolname,
              p.oid::regprocedure)
          FROM planned k
          JOIN pg_depend d ON d.classid = k.classid AND d.objid = k.oid AND d.objsubid = 0
            AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
          LEFT JOIN pg_operator x ON d.refclassid = 'pg_operator'::regclass AND x.oid = d.refobjid
          JOIN pg_proc p ON p.oid = coalesce(x.oprcode::oid, d.refobjid)
          JOIN pg_roles o ON o.oid = p.proowner
          WHERE NOT pg_has_role(p.proowner, current_user, 'MEMBER')
          LIMIT 1
          """);

  private CodeOfReading() {}

  /**
   * That whoever owns such a function gains nothing by it. To be asked while the table is locked
   * against new indexes.
   *
   * @param table its oid
   * @throws RefusedCaptureException if somebody would
   */
  static void require(Connection connection, TableName name, long table)
      throws SQLException, RefusedCaptureException {
    Optional<String> why;
    try (SqlStatement statement = FOREIGN.on(connection)) {
      why = statement.set("table", table).first(row -> row.getString(1));
    }
    if (why.isPresent()) {
      throw new RefusedCaptureException(
          "the rows of table %s cannot be handed over: %s".formatted(name, why.get()));
    }
  }
}
