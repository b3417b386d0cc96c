package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;

/** Where in a payload the values of a column are. */
interface ValueSource {
  /** Returns the text from which {@link #parse} makes this source. */
  String text();

  /** Returns the value; a missing node if there is none. */
  JsonNode in(JsonNode payload);

  /**
   * Parses a path, or the name of a captured column.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  static ValueSource parse(String text) {
    return text.startsWith(RowColumn.BEGINNING)
        ? new RowColumn(text.substring(RowColumn.BEGINNING.length()))
        : JsonPath.parse(text);
  }
}
