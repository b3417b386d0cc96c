package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the names of a hand-off table are taken by another object: another relation, a
 * recorder of another kind, or a table of another role or installation. A table of another
 * installation would take rows that this one has not recorded. Also checks whether the recorder's
 * rows are in another schema. {@code CREATE … IF NOT EXISTS} accepts any relation with the name, so
 * the table could lack its index, which keeps creates of requests unique.
 */
record NameConflicts(SchemaNames names) {
  /**
   * Searches by name only, since the role may lack the right to use the schema, which is reported
   * elsewhere.
   */
  private static final Sql RELATION =
      Sql.of(
          """
          SELECT c.relkind::text, t.relname
          FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
          LEFT JOIN pg_catalog.pg_class t ON t.oid = i.indrelid
          WHERE n.nspname = :schema AND c.relname = :name
          """);

  /** Returns why the table or its indexes cannot exist; empty if they can. */
  String refusal(Connection connection, HandoffTable table) throws SQLException {
    String other = otherKind(connection, table);
    return other.isEmpty() ? ofTable(connection, table) : other;
  }

  /** As {@link #refusal}, for a recorder that may have no row yet, as before the first start. */
  String ofTable(Connection connection, HandoffTable table) throws SQLException {
    String recorder = table.recorder().value();
    String start = "recorder " + recorder + " needs the ";
    Relation found = find(connection, recorder);
    if (found != null && !found.isTable()) {
      return start
          + ("table " + qualified(recorder) + ", which is " + inWords(found))
          + "; give the recorder another name";
    }
    String owner = ask(connection, OTHER_OWNER, recorder);
    if (!owner.isEmpty()) {
      return """
      table %s, or a partition of it, belongs to role %s, which is neither an administrator nor the \
      hosts' and could have hosts run code of its own: look at it; then drop it, or change its owner\
      """
          .formatted(qualified(recorder), owner);
    }
    String installation = ask(connection, INSTALLATION, recorder);
    if (!installation.isEmpty()) {
      return """
      table %s belongs to the recorders of schema %s, which take its rows, and this file has schema = \
      %s: give this installation a handoff_schema of its own; if the table's COMMENT is of former \
      times, take it away\
      """
          .formatted(qualified(recorder), installation, names.control());
    }
    String elsewhere = ask(connection, ELSEWHERE, recorder);
    if (!elsewhere.isEmpty()) {
      return """
      the rows of recorder %s are in table %s.%s, and this file has handoff_schema = %s: correct it, \
      or drop that table if nobody needs its rows\
      """
          .formatted(recorder, elsewhere, recorder, names.handoff());
    }
    for (String index : table.script(names).indexes()) {
      found = find(connection, index);
      if (found != null && !recorder.equals(found.indexOf())) {
        return start
            + ("index " + qualified(index) + ", which is " + inWords(found))
            + "; give the recorder another name, or rename that and run the output of 'recorder"
            + " schema'";
      }
    }
    return "";
  }

  private static final String OTHER_OWNER =
      """
      SELECT r.rolname::text FROM pg_catalog.pg_class t
      JOIN pg_catalog.pg_namespace h ON h.oid = t.relnamespace
      LEFT JOIN pg_catalog.pg_inherits i ON i.inhparent = t.oid
      JOIN pg_catalog.pg_class c ON c.oid IN (t.oid, i.inhrelid)
      JOIN pg_catalog.pg_roles r ON r.oid = c.relowner
      WHERE h.nspname = {handoff} AND t.relname = :recorder AND {is_other_owner}
        AND r.oid IS DISTINCT FROM (SELECT c.nspowner FROM pg_catalog.pg_namespace c
          WHERE c.nspname = {control}) -- Hosts call its functions anyway.
      LIMIT 1
      """;

  /**
   * The control schema that the table belongs to according to its comment, if it is another one.
   */
  private static final String INSTALLATION =
      """
      SELECT substr(d.description, length({belongs}) + 1) FROM pg_catalog.pg_class t
      JOIN pg_catalog.pg_namespace h ON h.oid = t.relnamespace
      JOIN pg_catalog.pg_description d ON d.objoid = t.oid AND d.objsubid = 0
        AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
      WHERE h.nspname = {handoff} AND t.relname = :recorder
        AND starts_with(d.description, {belongs}) AND d.description <> {belongs} || {control}
      """;

  /**
   * The schema of another table of the recorder, unless the table in the file's schema belongs to
   * the recorder.
   */
  private static final String ELSEWHERE =
      """
      SELECT h.nspname::text FROM pg_catalog.pg_class t
      JOIN pg_catalog.pg_namespace h ON h.oid = t.relnamespace
      JOIN pg_catalog.pg_description d ON d.objoid = t.oid AND d.objsubid = 0
        AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
      WHERE h.nspname <> {handoff} AND t.relname = :recorder
        AND d.description = {belongs} || {control}
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_class o
          JOIN pg_catalog.pg_namespace n ON n.oid = o.relnamespace
          WHERE n.nspname = {handoff} AND o.relname = :recorder
            AND pg_catalog.obj_description(o.oid, 'pg_class') = {belongs} || {control})
      LIMIT 1
      """;

  private static final String KIND = "SELECT kind FROM {lock_recorders} WHERE recorder = :recorder";

  private String ask(Connection connection, String question, String recorder) throws SQLException {
    Sql sql =
        Sql.of(
            question,
            Map.of(
                "lock_recorders", names.table("lock_recorders"),
                "handoff", Quoted.literal(names.handoff()),
                "control", Quoted.literal(names.control()),
                "belongs", Quoted.literal(HandoffScript.BELONGS),
                "is_other_owner", TrustedOwner.isOther("current_user")));
    try (SqlStatement statement = sql.on(connection)) {
      return statement.set("recorder", recorder).first(row -> row.getString(1)).orElse("");
    }
  }

  /**
   * Checks the kind before the rights, since rights for the wrong kind would be too many for the
   * right one.
   */
  private String otherKind(Connection connection, HandoffTable table) throws SQLException {
    String said = ask(connection, KIND, table.recorder().value());
    return said.isEmpty() || said.equals(table.kind().word())
        ? ""
        : """
        recorder %s has kind = %s in this file, but in the database kind = %s; a recorder keeps \
        its kind: give the new one another name and lockid\
        """
            .formatted(table.recorder(), table.kind().word(), said);
  }

  /**
   * The relation with a name.
   *
   * @param kind as in {@code pg_class.relkind}
   * @param indexOf the indexed table; null if the relation is not an index
   */
  private record Relation(String kind, @Nullable String indexOf) {
    boolean isTable() {
      return kind.equals("r") || kind.equals("p");
    }
  }

  private @Nullable Relation find(Connection connection, String name) throws SQLException {
    try (SqlStatement statement = RELATION.on(connection)) {
      return statement
          .set("schema", names.handoff())
          .set("name", name)
          .first(row -> new Relation(row.getString(1), row.getString(2)))
          .orElse(null);
    }
  }

  private String inWords(Relation relation) {
    return switch (relation.kind()) {
      case "i", "I" -> "an index of " + qualified(String.valueOf(relation.indexOf()));
      case "S" -> "a sequence";
      case "r", "p", "f" -> "a table";
      case "v", "m" -> "a view";
      default -> "a type";
    };
  }

  private String qualified(String name) {
    return names.handoff() + "." + name;
  }
}
