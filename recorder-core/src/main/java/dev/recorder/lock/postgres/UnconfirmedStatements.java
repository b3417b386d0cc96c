package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Statements whose answers were lost, so that their effect is unknown. Each has a remedy that
 * undoes or completes the statement. The remedy is repeated until the statement can no longer reach
 * the server.
 */
final class UnconfirmedStatements {
  /** How long an unanswered statement may still take effect. */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(10);

  /** The time after which a remedy is dropped if its row is still locked. */
  private static final Duration GIVEN_UP = Duration.ofSeconds(60);

  /** The most statements; further ones are dropped. */
  private static final int MOST = 1_000;

  private record UnconfirmedStatement(Command remedy, long at) {}

  private final Instruments instruments;
  private final ConcurrentLinkedQueue<UnconfirmedStatement> all = new ConcurrentLinkedQueue<>();

  UnconfirmedStatements(Instruments instruments) {
    this.instruments = instruments;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void remember(Command remedy) {
    if (all.size() < MOST) {
      all.add(new UnconfirmedStatement(remedy, instruments.nanos()));
    }
  }

  /**
   * Runs the remedies. A remedy that finds no row is kept while its statement may still take
   * effect.
   *
   * @param attempt runs a remedy; returns whether it found its row
   * @param isGone whether the session has ended after a failed attempt
   */
  void settle(Predicate<Command> attempt, BooleanSupplier isGone) {
    for (UnconfirmedStatement each : List.copyOf(all)) {
      long age = instruments.nanos() - each.at();
      try {
        if (attempt.test(each.remedy()) || age >= ON_ITS_WAY.toNanos()) {
          all.remove(each);
        }
      } catch (LockException e) {
        if (isGone.getAsBoolean()) {
          throw e;
        }
        // Another transaction holds the row; that must not delay other locks, and the remedy must
        // end.
        if (age >= GIVEN_UP.toNanos()) {
          all.remove(each);
        }
      }
    }
  }
}
