package dev.recorder.machine.schedule;

import dev.recorder.logging.LogContext;
import dev.recorder.postgres.DatabaseException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Work that is done again and again. A turn sees all effects of the turn before.
 *
 * @param name of the chore, for the log
 * @param every interval between turns; missed turns are left out
 * @param lane runs the work, at once or later, or refuses it
 * @param context of the chore's log lines
 */
public record Chore(
    String name, Duration every, Executor lane, Supplier<LogContext> context, ChoreWork work) {
  /** The work of one turn. */
  @FunctionalInterface
  public interface ChoreWork {
    /** Does the work, on the lane. */
    void turn() throws InterruptedException;

    /**
     * Called on the lane when the database failed in this turn.
     *
     * @param isNew whether the failure differs from that of the turn before
     */
    default void failed(DatabaseException why, boolean isNew) {}

    /** Ends the current turn, since the chore is closed; called on any thread, without waiting. */
    default void abort() {}
  }

  public Chore {
    if (every.isNegative() || every.isZero()) {
      throw new IllegalArgumentException(name + " every " + every);
    }
  }

  /**
   * Returns when the turn after the one of {@code due} is due, in nanoseconds; that turn is over by
   * now. Pure.
   */
  static long next(long due, long every, long now) {
    return due + every * (1 + Math.max(0, (now - due) / every));
  }
}
