package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.ControlScript.ScriptSection;
import dev.recorder.schema.SqlScriptFile.GrantedRight;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rights that the one role of all hosts needs, as granted by {@link Schema}, and a query for
 * those that this session's role lacks.
 */
public final class Rights {
  /** For {@code INSERT (a, b)} the privilege is needed on each column. */
  private static final Sql MISSING =
      Sql.of(
          """
          SELECT w.place, quote_ident(current_user)
          FROM unnest(:schemas::text[], :relations::text[], :privileges::text[])
            WITH ORDINALITY AS w (schema, relation, privilege, place)
          LEFT JOIN pg_namespace n ON n.nspname = w.schema
          LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.relation
          WHERE NOT coalesce(CASE
            WHEN n.oid IS NULL AND w.relation = '' AND w.privilege = 'CREATE'
              THEN has_database_privilege(current_database(), 'CREATE')
            WHEN w.relation = '' THEN has_schema_privilege(n.oid, w.privilege)
            WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, w.privilege)
            WHEN w.privilege LIKE '% (%)' THEN (
              SELECT bool_and(has_column_privilege(c.oid, name, split_part(w.privilege, ' ', 1)))
              FROM regexp_split_to_table(substring(w.privilege FROM '[(](.*)[)]'), ', ') name)
            ELSE has_table_privilege(c.oid, w.privilege) END, false)
          ORDER BY w.place
          """);

  private final List<GrantedRight> needs = new ArrayList<>();

  private static MissingRight missing(GrantedRight need, String role) {
    String schema = need.schema();
    String on = need.relation().isEmpty() ? "schema " + schema : schema + "." + need.relation();
    return new MissingRight(
        need.privilege(),
        on,
        SqlTemplate.fill(
            "GRANT {privilege} ON {object} TO {role};",
            Map.of("privilege", need.privilege(), "object", object(need, on), "role", role)));
  }

  private static String object(GrantedRight need, String on) {
    if (need.relation().isEmpty()) {
      return "SCHEMA " + need.schema();
    }
    return need.privilege().equals("USAGE") ? "SEQUENCE " + on : on;
  }

  private Rights() {}

  /** Adds the grants of a section of the control script. */
  private Rights and(SchemaNames names, ScriptSection section) {
    needs.addAll(new ControlScript(names).grants(section));
    return this;
  }

  /** Returns the rights on the recorder's own tables. */
  static Rights control(SchemaNames names) {
    return new Rights().and(names, ScriptSection.RECORDING);
  }

  /**
   * Returns the rights to delete recorded rows of logs; without them a log is recorded and its rows
   * stay.
   *
   * @param recorders whose tables are partitioned
   */
  static Rights clearing(SchemaNames names, List<RecorderName> recorders) {
    Rights rights = new Rights();
    for (RecorderName recorder : recorders) {
      rights.needs.addAll(new HandoffScript(names, recorder, RecorderKind.LOG).rightsToClear());
    }
    return rights.and(names, ScriptSection.CLEARING);
  }

  /** Returns the rights on tables for operators' queries and orders. */
  static Rights operating(SchemaNames names) {
    return new Rights().and(names, ScriptSection.OPERATING);
  }

  /** Returns the rights on the tables of locks; recording needs none of them. */
  public static Rights locks(SchemaNames names) {
    return new Rights().and(names, ScriptSection.LOCKING);
  }

  /** Returns the rights on hand-off tables, without those of the control schema. */
  static Rights handoff(SchemaNames names, List<HandoffUse> uses) {
    Rights rights = new Rights();
    rights.need(names.handoff(), "USAGE");
    for (HandoffUse use : uses) {
      rights.needs.addAll(
          new HandoffScript(names, use.recorder(), use.kind()).rightsToWork(use.ticks()));
    }
    return rights;
  }

  static Rights creating(SchemaNames names, HandoffUse use) {
    Rights rights = new Rights();
    rights.need(names.handoff(), "CREATE");
    if (use.kind() == RecorderKind.LOG) {
      rights.need(names.control(), "CREATE"); // The partitions are in this schema.
    }
    return rights;
  }

  private void need(String schema, String privilege) {
    needs.add(new GrantedRight(schema, "", privilege));
  }

  /** Returns the rights that this session's role lacks, in a fixed order. */
  public List<MissingRight> missing(Connection connection) throws SQLException {
    try (SqlStatement statement = MISSING.on(connection)) {
      return statement
          .setArray("schemas", "text", needed(GrantedRight::schema))
          .setArray("relations", "text", needed(GrantedRight::relation))
          .setArray("privileges", "text", needed(GrantedRight::privilege))
          .all(row -> missing(needs.get(row.getInt(1) - 1), row.getString(2)));
    }
  }

  /**
   * Throws if a right is missing.
   *
   * @throws DatabaseException with kind RIGHTS, naming each right and the SQL that grants it
   */
  void require(Connection connection) throws SQLException {
    List<MissingRight> missing = missing(connection);
    if (!missing.isEmpty()) {
      throw new DatabaseException(
          DatabaseErrorKind.RIGHTS,
          "this role lacks "
              + missing.stream().map(MissingRight::toString).collect(Collectors.joining(", "))
              + "; let an administrator run:\n"
              + missing.stream().map(MissingRight::grant).collect(Collectors.joining("\n")));
    }
  }

  private Object[] needed(Function<GrantedRight, String> part) {
    return needs.stream().map(part).toArray();
  }
}
