package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Statements of which it is unknown whether they took effect, since their answers were lost. Each
 * has a remedy, which undoes or does it, and is run again and again until the statement cannot be
 * on its way any more.
 */
final class Unanswered {
  /** How long a statement without an answer may still reach its row. */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(10);

  /** An unanswered statement whose row cannot be locked is forgotten then. */
  private static final Duration GIVEN_UP = Duration.ofSeconds(60);

  /** Those beyond are forgotten. */
  private static final int MOST = 1_000;

  private record LostAnswer(Command remedy, long at) {}

  private final Instruments instruments;
  private final ConcurrentLinkedQueue<LostAnswer> all = new ConcurrentLinkedQueue<>();

  Unanswered(Instruments instruments) {
    this.instruments = instruments;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void remember(Command remedy) {
    if (all.size() < MOST) {
      all.add(new LostAnswer(remedy, instruments.nanos()));
    }
  }

  /**
   * Also one that found nothing is kept while its statement may still be on its way.
   *
   * @param attempt runs a remedy, and tells whether it found its row
   * @param isGone whether the session is gone after an attempt that failed
   */
  void settle(Predicate<Command> attempt, BooleanSupplier isGone) {
    for (LostAnswer each : List.copyOf(all)) {
      long age = instruments.nanos() - each.at();
      try {
        if (attempt.test(each.remedy()) || age >= ON_ITS_WAY.toNanos()) {
          all.remove(each);
        }
      } catch (LockException e) {
        if (isGone.getAsBoolean()) {
          throw e;
        }
        // Somebody has its row locked: no reason to keep others from theirs, nor forever.
        if (age >= GIVEN_UP.toNanos()) {
          all.remove(each);
        }
      }
    }
  }
}
