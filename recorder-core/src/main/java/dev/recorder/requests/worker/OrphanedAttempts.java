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
 * Attempts that workers of one recorder began, or requested, on sessions that were lost. The first
 * worker with a new session disowns all of them before it claims a request. Otherwise such an
 * attempt would look like that of a dead process. Thread-safe.
 *
 * <p>An attempt that is not found may still be on its way to the server, and is searched
 * {@linkplain #ON_ITS_WAY for some time}. An attempt whose row is locked is searched until the row
 * is free.
 */
final class OrphanedAttempts {
  /**
   * The most attempts that are kept; further ones are dropped, and so count as lost. Each worker
   * loses at most two at a time.
   */
  static final int MOST = 1_000;

  static final Duration ON_ITS_WAY = Duration.ofSeconds(10);

  /**
   * The number of sessions in a row that may end during one request without counting against the
   * request, since a restart of the server or an administrator may have ended them. A request that
   * ends every session must not be begun forever.
   */
  static final int FORGIVEN = 3;

  static final Duration IN_A_ROW = Duration.ofMinutes(10);

  private final Ticker ticker;
  private final ConcurrentLinkedQueue<LostAttempt> attempts = new ConcurrentLinkedQueue<>();

  /** Losses by the line before the request. */
  private final Map<Long, LossesOfOne> losses = new ConcurrentHashMap<>();

  private record LostAttempt(Attempt attempt, long at) {}

  private record LossesOfOne(int count, long last) {}

  OrphanedAttempts(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Adds attempts whose session has ended. An attempt that was lost too often is not disowned, and
   * so counts as if its process had died.
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
   * Disowns all attempts.
   *
   * @param queue disowns an attempt; returns false if its row is locked
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
