package dev.recorder.table;

import java.time.Duration;

/**
 * The settings of a log's table.
 *
 * @param interval time between two looks at the log
 * @param bytes most bytes of slots, as in the log, in one file; a larger slot has a file of its
 *     own. While a file is written, the file and one slot are in memory
 * @param columns the typed columns
 * @param byDay whether files are divided by day
 */
public record TableSettings(Duration interval, long bytes, TableColumns columns, boolean byDay) {
  /** The default of {@code table_interval}. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

  /** The default of {@code table_bytes}. */
  public static final long DEFAULT_BYTES = 32 << 20;
}
