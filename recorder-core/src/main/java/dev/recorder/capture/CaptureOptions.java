package dev.recorder.capture;

import org.jspecify.annotations.Nullable;

/**
 * How a table is captured.
 *
 * @param when SQL condition over the row's columns: only rows that fulfil it are captured; null for
 *     all rows
 * @param key SQL expression over the row's columns for the {@code key} of the log's row; null for
 *     the table's name and key
 * @param entity SQL expression over the row's columns, or a query, for the entities whose documents
 *     the row belongs to; null if changes go into a log. If it is not null, of the other options
 *     only {@code when} applies.
 */
public record CaptureOptions(
    ColumnChoice columns,
    @Nullable String when,
    @Nullable String key,
    OldImage old,
    @Nullable String entity) {
  public static final CaptureOptions USUAL =
      new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.KEY);

  /** Creates the options of a capture into a log. */
  public CaptureOptions(
      ColumnChoice columns, @Nullable String when, @Nullable String key, OldImage old) {
    this(columns, when, key, old, null);
  }

  /**
   * Returns the options of a capture for documents.
   *
   * @param when as in {@link CaptureOptions}
   */
  public static CaptureOptions ofDocuments(String entity, @Nullable String when) {
    return new CaptureOptions(ColumnChoice.ALL, when, null, OldImage.NONE, entity);
  }
}
