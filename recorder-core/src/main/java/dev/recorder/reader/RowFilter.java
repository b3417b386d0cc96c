package dev.recorder.reader;

import dev.recorder.handoff.LineFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows by key and time.
 *
 * <p>A row's time is the time when its transaction began. A log is not ordered by this time, as a
 * long transaction comes after others that began later. So all slots must be read to find all rows
 * of an hour. For one thread.
 */
public final class RowFilter implements Predicate<LogRow> {
  private final LineFields fields = new LineFields();
  private final Set<ByteBuffer> keys;
  private final long since;
  private final long until;

  /**
   * Makes a filter that accepts rows which meet all conditions.
   *
   * @param keys the accepted keys; if empty, any row, also one without a key
   * @param since the earliest time; null for any
   * @param until the time from which on rows are rejected; null for none
   */
  public RowFilter(Collection<String> keys, @Nullable Instant since, @Nullable Instant until) {
    this.keys =
        keys.stream()
            .map(key -> ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)))
            .collect(Collectors.toUnmodifiableSet());
    this.since = since == null ? Long.MIN_VALUE : micros(since);
    this.until = until == null ? Long.MAX_VALUE : micros(until);
  }

  /**
   * Converts a time to microseconds, rounded up: rows have whole microseconds, and a row at or
   * after the time must have at least this number.
   */
  private static long micros(Instant time) {
    try {
      return Math.addExact(
          Math.multiplyExact(time.getEpochSecond(), 1_000_000L), (time.getNano() + 999) / 1_000);
    } catch (ArithmeticException beyondAllRows) {
      return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  public boolean passesAll() {
    return keys.isEmpty() && since == Long.MIN_VALUE && until == Long.MAX_VALUE;
  }

  /**
   * {@inheritDoc}
   *
   * @throws LogReadException if the line was not written by a recorder
   */
  @Override
  public boolean test(LogRow row) {
    row.read(fields);
    ByteBuffer key = fields.key();
    return fields.timeMicros() >= since
        && fields.timeMicros() < until
        && (keys.isEmpty() || (key != null && keys.contains(key)));
  }
}
