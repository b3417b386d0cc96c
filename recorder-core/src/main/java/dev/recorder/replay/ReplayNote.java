package dev.recorder.replay;

import java.util.List;

/**
 * What a replay could not rebuild as it was, and the remedy. Told once, when it happens.
 *
 * @param table its schema, a dot, its name
 * @param columns whose values it is about; empty if it is about the table's rows
 * @param text for the operator: the thing and the remedy
 */
public record ReplayNote(String table, List<String> columns, ReplayNoteKind kind, String text) {
  public ReplayNote {
    columns = List.copyOf(columns);
  }

  /** What has become of them. */
  public enum ReplayNoteKind {
    /**
     * Values or rows are not what they were; a snapshot that begins afterwards has them, unless the
     * table is set aside.
     */
    INCOMPLETE,
    /** The columns are {@code text} in the target, and have the values' texts. */
    AS_TEXT
  }
}
