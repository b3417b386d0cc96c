package dev.recorder.capture;

import org.jspecify.annotations.Nullable;

/**
 * How a table is captured.
 *
 * @param when SQL condition over the row's columns, which says of each row whether it is captured;
 *     null for all
 * @param key SQL expression over the row's columns for the {@code key} of its row in the log; null
 *     for the table's name and key
 * @param entity SQL expression over the row's columns, or a query, for the entities whose documents
 *     the row belongs to; null if changes go into a log. Then nothing but {@code when} has a
 *     meaning besides it.
 */
public record CaptureOptions(
    ColumnChoice columns,
    @Nullable String when,
    @Nullable String key,
    OldImage old,
    @Nullable String entity) {
  public static final CaptureOptions USUAL =
      new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.KEY);

  /** Into a log. */
  public CaptureOptions(
      ColumnChoice columns, @Nullable String when, @Nullable String key, OldImage old) {
    this(columns, when, key, old, null);
  }

  /**
   * Into documents.
   *
   * @param when as above
   */
  public static CaptureOptions ofDocuments(String entity, @Nullable String when) {
    return new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.NONE, entity);
  }
}
