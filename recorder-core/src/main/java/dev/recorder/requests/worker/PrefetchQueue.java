package dev.recorder.requests.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.requests.Prefetched;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Creates that the workers of one recorder on one host could claim next. One worker finds them for
 * all, since claiming a row by its id costs a third of a search. They are not reserved, so they may
 * be forgotten, or shared with other hosts, without harm.
 *
 * <p>The look ahead pays off for units that take less than a few round trips. After a look that
 * found few creates, the next look comes {@value #CLAIMS_BETWEEN} claims later. Thread-safe.
 */
final class PrefetchQueue {
  /** How many rows a look ahead reads. */
  static final int ROWS = 200;

  /**
   * The number of creates left at which a worker looks again; without any, a worker must search.
   */
  static final int FEW = 64;

  static final int CLAIMS_BETWEEN = 64;

  /** The time after which unused creates are forgotten. */
  static final Duration FRESH = Duration.ofMillis(100);

  private final Ticker ticker;

  @GuardedBy("this")
  private final ArrayDeque<Prefetched> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private long from;

  @GuardedBy("this")
  private long touched;

  @GuardedBy("this")
  private int claimsToWait = CLAIMS_BETWEEN;

  @GuardedBy("this")
  private boolean somebodyLooks;

  PrefetchQueue(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Takes the next create, whose id may be below the line. A pass that is behind the beginning of
   * the look gets none, since rows before all these creates may have waited longer.
   */
  synchronized Optional<Prefetched> next(long line) {
    if (ticker.nanos() - touched > FRESH.toNanos()) {
      waiting.clear();
    }
    claimsToWait--;
    if (line < from) {
      return Optional.empty();
    }
    touched = ticker.nanos();
    return Optional.ofNullable(waiting.poll());
  }

  /**
   * Returns the line above which the caller must look ahead, if it must; the caller must then call
   * {@link #seen}.
   *
   * @param line the caller's own
   */
  synchronized OptionalLong lookFrom(long line) {
    if (somebodyLooks || waiting.size() > FEW || claimsToWait > 0) {
      return OptionalLong.empty();
    }
    somebodyLooks = true;
    if (waiting.isEmpty()) {
      from = line;
      return OptionalLong.of(line);
    }
    return OptionalLong.of(waiting.getLast().id());
  }

  /** Takes the result of a look ahead; empty after a failure. */
  synchronized void seen(List<Prefetched> seen) {
    somebodyLooks = false;
    waiting.addAll(seen);
    touched = ticker.nanos();
    claimsToWait = seen.size() < FEW ? CLAIMS_BETWEEN : 0;
  }
}
