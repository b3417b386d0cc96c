package dev.recorder.capture;

import org.jspecify.annotations.Nullable;

/**
 * How a table is captured.
 *
 * @param when SQL condition over the row's columns, which says of each row whether it is captured;
 *     null for all
 * @param key SQL expression over the row's columns for the {@code key} of its row in the log; null
 *     for the table's name and key
 */
public record CaptureOptions(
    ColumnChoice columns, @Nullable String when, @Nullable String key, OldImage old) {
  public static final CaptureOptions USUAL =
      new CaptureOptions(ColumnChoice.ALL, null, null, OldImage.KEY);
}
