package dev.recorder.capture;

import java.util.List;

/**
 * A choice of a table's columns to capture, by name.
 *
 * @param only names of the columns to capture; empty for all
 * @param except names of the columns to leave out; columns that are added later are captured
 */
public record ColumnChoice(List<String> only, List<String> except) {
  /** All columns, including those that are added later. */
  public static final ColumnChoice ALL = new ColumnChoice(List.of(), List.of());

  public ColumnChoice {
    only = List.copyOf(only);
    except = List.copyOf(except);
    if (!only.isEmpty() && !except.isEmpty()) {
      throw new IllegalArgumentException(
          "either the columns to capture, or those not to, not both");
    }
  }

  /** Returns whether a column of this name is captured. */
  public boolean has(String column) {
    return only.isEmpty() ? !except.contains(column) : only.contains(column);
  }
}
