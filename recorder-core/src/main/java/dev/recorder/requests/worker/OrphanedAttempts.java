package dev.recorder.requests.worker;

import dev.recorder.requests.Attempt;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * What the workers of one recorder had begun, or asked for, on sessions that they have lost.
 * Whoever has a session first disowns it for all, before it claims something: what is left begun
 * looks like the work of a process that died. Thread-safe.
 *
 * <p>An attempt that is not found may still be on its way to the server, so that it is looked for
 * {@linkplain #ON_ITS_WAY for a while}; and one whose row somebody has locked, until it is free.
 */
final class OrphanedAttempts {
  /** Those beyond are forgotten, and so taken for lost. Each worker loses two at a time at most. */
  static final int MOST = 1_000;

  static final Duration ON_ITS_WAY = Duration.ofSeconds(10);

  /**
   * So many sessions in a row may end under one request without counting against it: the server was
   * restarted, or an administrator ended them. One that ends each of them must not be begun
   * forever.
   */
  static final int FORGIVEN = 3;

  static final Duration IN_A_ROW = Duration.ofMinutes(10);

  private final Ticker ticker;
  private final ConcurrentLinkedQueue<LostAttempt> attempts = new ConcurrentLinkedQueue<>();

  /** By the line before the request. */
  private final Map<Long, LossesOfOne> losses = new ConcurrentHashMap<>();

  private record LostAttempt(Attempt attempt, long at) {}

  private record LossesOfOne(int count, long last) {}

  OrphanedAttempts(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Their session has ended. What was begun several times in vain is not disowned any more, and so
   * counts as if its process had died.
   */
  void lost(List<Attempt> lost) {
    add(lost.stream().filter(this::isForgiven).toList());
  }

  private boolean isForgiven(Attempt attempt) {
    if (!attempt.known()) {
      return true;
    }
    long now = ticker.nanos();
    losses.values().removeIf(each -> now - each.last() > IN_A_ROW.toNanos());
    LossesOfOne ofThis =
        losses.merge(
            attempt.line(),
            new LossesOfOne(1, now),
            (before, one) -> new LossesOfOne(before.count() + 1, now));
    return ofThis.count() <= FORGIVEN;
  }

  void add(List<Attempt> lost) {
    for (Attempt attempt : lost) {
      if (attempts.size() < MOST) {
        attempts.add(new LostAttempt(attempt, ticker.nanos()));
      }
    }
  }

  /**
   * Disowns all of them.
   *
   * @param queue tries to disown one; false if somebody has its row locked
   */
  void disown(Predicate<Attempt> queue) {
    if (attempts.isEmpty()) {
      return;
    }
    for (LostAttempt lost : List.copyOf(attempts)) {
      if (queue.test(lost.attempt()) && ticker.nanos() - lost.at() >= ON_ITS_WAY.toNanos()) {
        attempts.remove(lost);
      }
    }
  }
}
