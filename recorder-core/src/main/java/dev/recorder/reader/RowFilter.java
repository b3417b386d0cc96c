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
 * <p>A row's time is when its transaction began. A log is not ordered by it: a long transaction
 * stands after others that began later. So to find all rows of an hour all slots must be read. For
 * one thread.
 */
public final class RowFilter implements Predicate<LogRow> {
  private final LineFields fields = new LineFields();
  private final Set<ByteBuffer> keys;
  private final long since;
  private final long until;

  /**
   * Accepts rows that meet all conditions.
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

  /** Rounded up: rows have whole microseconds, and those at or after this one are meant. */
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
   * @throws LogReadException if no recorder writes such a line
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
