package dev.recorder.machine.schedule;

import dev.recorder.logging.LogContext;
import dev.recorder.postgres.DatabaseException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Something that is done again and again. One turn sees what the one before it has left.
 *
 * @param name for the log
 * @param every from one turn to the next; turns that are missed are left out
 * @param lane runs the work, at once or later, or refuses it
 * @param context of its log lines
 */
public record Chore(
    String name, Duration every, Executor lane, Supplier<LogContext> context, ChoreWork work) {
  /** One turn. */
  @FunctionalInterface
  public interface ChoreWork {
    /** Does it, on the lane. */
    void turn() throws InterruptedException;

    /**
     * The database did not do what was asked in this turn; on the lane.
     *
     * @param isNew whether it is another failure than that of the turn before, if that failed
     */
    default void failed(DatabaseException why, boolean isNew) {}

    /** Ends the turn that is under way, as the chore is closed; on any thread, without waiting. */
    default void abort() {}
  }

  public Chore {
    if (every.isNegative() || every.isZero()) {
      throw new IllegalArgumentException(name + " every " + every);
    }
  }

  /** When the turn after the one of {@code due} is, which is over by now; in nanoseconds. Pure. */
  static long next(long due, long every, long now) {
    return due + every * (1 + Math.max(0, (now - due) / every));
  }
}
