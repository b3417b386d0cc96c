package dev.recorder.slotlog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Rows that come at given times, and what a {@link Linger} makes of them: who waits for rows is
 * told at the next look, a slot is under way for a while, and rows that fill one follow each other.
 */
final class ArrivalTrace {
  private static final int FULL = 50_000;
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final long SLOT_NANOS = Duration.ofMillis(15).toNanos();

  private final long[] rows;
  private final Linger linger;
  private final List<Taken> taken = new ArrayList<>();
  private long now;

  /** How many rows are taken, and how many were there at the last read. */
  private int done;

  private int seen;

  /**
   * A slot.
   *
   * @param longestWait of its rows until they were read, in seconds
   */
  record Taken(int rows, double longestWait) {}

  private ArrivalTrace(LingerRule rule, long[] rows) {
    this.rows = rows;
    this.linger = new Linger(WriterPolicy.withLinger(rule));
  }

  /** The slots of a term whose first one is behind it. */
  static List<Taken> of(LingerRule rule, LongStream rows) {
    ArrivalTrace trace = new ArrivalTrace(rule, rows.sorted().toArray());
    trace.now = -Duration.ofMinutes(1).toNanos();
    trace.linger.reads(trace.now);
    trace.linger.tookRows();
    while (trace.done < trace.rows.length) {
      trace.rest(trace.linger.rest());
      trace.read();
    }
    return trace.taken;
  }

  private void rest(Effect effect) {
    if (effect instanceof Effect.Wake wake) {
      now = Math.max(now, wake.atNanos());
    } else if (effect instanceof Effect.AwaitRows wait) {
      long index = seen + wait.rows() - 1;
      long told =
          index < rows.length ? Math.max(now, rows[(int) index]) + LOOK_NANOS : Long.MAX_VALUE;
      now = Math.max(now, Math.min(told, wait.atNanos()));
    }
  }

  private void read() {
    linger.reads(now);
    seen = there();
    int waiting = seen - done;
    if (waiting > 0 && (waiting >= FULL || linger.takesPart(now))) {
      linger.tookRows();
      take(Math.min(waiting, FULL));
      while (there() - done >= FULL) {
        linger.readAhead(true, now);
        take(FULL);
      }
    } else {
      linger.tookNothing(waiting == 0 ? 0 : FULL - waiting);
    }
  }

  private void take(int count) {
    taken.add(new Taken(count, (now - rows[done]) / 1e9));
    done += count;
    seen = done;
    now += SLOT_NANOS;
  }

  private int there() {
    int place = Arrays.binarySearch(rows, now + 1);
    int index = place < 0 ? -place - 1 : place;
    while (index > 0 && rows[index - 1] > now) {
      index--;
    }
    return index;
  }
}
