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
 * What the workers of one recorder on one machine could claim next, as one of them has seen it for
 * all: to claim a row whose id is known costs a third of finding one. Nobody owns one before it is
 * claimed, so to forget them, or to share them with other machines, does no harm.
 *
 * <p>Looking ahead pays for units that take less than a few round trips. After a look that brought
 * little, as where creates are rare among what waits, the next comes {@value #CLAIMS_BETWEEN}
 * claims later. Thread-safe.
 */
final class PrefetchQueue {
  /** How many rows are looked at. */
  static final int ROWS = 200;

  /** When so few are left somebody looks again: who finds none has to search. */
  static final int FEW = 64;

  static final int CLAIMS_BETWEEN = 64;

  /** How long until those that nobody has taken are forgotten. */
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
   * Takes the next one; it may be before the line. A pass that has not come as far as the look had
   * when it began gets none: there may be rows before all of them, which have waited longer.
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
   * The line behind which the caller must look, if it must; it must then say what it {@linkplain
   * #seen has seen}.
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

  /** What there is; nothing after a failure. */
  synchronized void seen(List<Prefetched> seen) {
    somebodyLooks = false;
    waiting.addAll(seen);
    touched = ticker.nanos();
    claimsToWait = seen.size() < FEW ? CLAIMS_BETWEEN : 0;
  }
}
