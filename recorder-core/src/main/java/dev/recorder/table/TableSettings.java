package dev.recorder.table;

import java.time.Duration;

/**
 * How a log's table is made.
 *
 * @param interval from one look at the log to the next
 * @param bytes of rows, as the log has them, that a file has at most; one slot is in it whatever
 *     its size. While a file is made, it is in memory, and so is a slot
 * @param columns typed ones
 * @param byDay whether files are divided by day
 */
public record TableSettings(Duration interval, long bytes, TableColumns columns, boolean byDay) {
  /** What {@code table_interval} is without configuration. */
  public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

  /** What {@code table_bytes} is without configuration. */
  public static final long DEFAULT_BYTES = 32 << 20;
}
