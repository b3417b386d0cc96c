package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;

/**
 * A column of a captured table: its value in the new row or, of a delete, in the old row as far as
 * the change has it.
 *
 * @param name the column's name in PostgreSQL
 */
record RowColumn(String name) implements ValueSource {
  static final String BEGINNING = "row.";

  private static final List<String> OLD_ROWS = List.of("before", "key");

  @Override
  public String text() {
    return BEGINNING + name;
  }

  @Override
  public JsonNode in(JsonNode payload) {
    if (payload.has("after")) {
      return payload.path("after").path(name);
    }
    for (String row : OLD_ROWS) {
      JsonNode value = payload.path(row).get(name);
      if (value != null) {
        return value;
      }
    }
    return MissingNode.getInstance();
  }
}
