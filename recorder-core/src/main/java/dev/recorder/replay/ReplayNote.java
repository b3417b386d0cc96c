package dev.recorder.replay;

import java.util.List;

/**
 * What a replay could not rebuild exactly, and the remedy. Reported once, when it happens.
 *
 * @param table schema and name, separated by a dot
 * @param columns whose values are affected; empty if rows are
 * @param text for the operator: the subject and the remedy
 */
public record ReplayNote(String table, List<String> columns, ReplayNoteKind kind, String text) {
  public ReplayNote {
    columns = List.copyOf(columns);
  }

  /** A note on the rows of a table. */
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
