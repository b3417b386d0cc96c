package dev.recorder.replay;

import java.util.List;

/**
 * A table, or columns of a table, that a replay could not rebuild exactly, with the remedy.
 * Reported once, when it happens.
 *
 * @param table schema and name, separated by a dot
 * @param columns columns whose values are affected; empty if rows are affected
 * @param text subject and remedy, for the operator
 */
public record ReplayNote(String table, List<String> columns, ReplayNoteKind kind, String text) {
  public ReplayNote {
    columns = List.copyOf(columns);
  }

  /** Returns a note on the rows of a table. */
  public static ReplayNote incomplete(String table, String text) {
    return new ReplayNote(table, List.of(), ReplayNoteKind.INCOMPLETE, text);
  }

  public enum ReplayNoteKind {
    /**
     * Values or rows are not exact; a later snapshot corrects them, unless the table is set aside.
     */
    INCOMPLETE,
    /** The columns are {@code text} in the target, with the texts of the values. */
    AS_TEXT
  }
}
