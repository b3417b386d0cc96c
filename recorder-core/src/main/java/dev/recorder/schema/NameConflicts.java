package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether names that a hand-off table needs are taken by something else. {@code CREATE … IF
 * NOT EXISTS} would not tell: it accepts any relation with the name, and the table would lack its
 * index, which keeps creates of requests unique.
 */
record NameConflicts(SchemaNames names) {
  /**
   * By name only, since the role may lack the right to use the schema, which is reported elsewhere.
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

  /** Why the table or its indexes cannot exist; empty if they can. */
  String refusal(Connection connection, HandoffTable table) throws SQLException {
    String recorder = table.recorder().value();
    String start = "recorder " + recorder + " needs the ";
    Relation found = find(connection, recorder);
    if (found != null && !found.isTable()) {
      return start
          + ("table " + qualified(recorder) + ", which is " + inWords(found))
          + "; give the recorder another name";
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

  /**
   * The relation with a name.
   *
   * @param kind as in {@code pg_class.relkind}
   * @param indexOf the table, if it is an index
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
