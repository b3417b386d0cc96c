package dev.recorder.replay;

import java.util.List;

/**
 * A table that a change of its columns has taken values from, since what became of them is not in
 * the log. A snapshot that begins afterwards has them.
 *
 * @param table its schema, a dot, its name
 * @param columns those whose values are NULL now; empty if the table has lost all of its rows
 */
public record IncompleteTable(String table, List<String> columns) {
  public IncompleteTable {
    columns = List.copyOf(columns);
  }
}
