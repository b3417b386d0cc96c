package dev.recorder.machine.schedule;

import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands work to lanes: that of chores, whenever they are due, and what is done once. Thread-safe.
 */
public final class Schedule {
  private static final Logger log = LoggerFactory.getLogger(Schedule.class);

  private final Alarms alarms;
  private final Ticker ticker;

  /** A timer, which may refuse when it is closed. */
  @FunctionalInterface
  public interface Alarms {
    /** Runs something short after so many nanoseconds. */
    Future<?> after(long nanos, Runnable woken);
  }

  /** Nothing is due yet. */
  public Schedule(Alarms alarms, Ticker ticker) {
    this.alarms = alarms;
    this.ticker = ticker;
  }

  /** Has this done from now on; for the first time after its interval. */
  public ScheduledChore begin(Chore chore) {
    return new ScheduledChore(this, chore);
  }

  /** Has this done once, soon; false if the lane takes nothing more. */
  public boolean hand(Executor lane, Runnable work) {
    return unlessRefused(
            () -> {
              lane.execute(work);
              return true;
            })
        != null;
  }

  /** Has this done once, after a delay, unless the machine has ended by then. */
  public void handIn(Duration delay, Executor lane, Runnable work) {
    var unused = ring(delay.toNanos(), () -> hand(lane, work));
  }

  /** Null if the timer is closed. */
  @Nullable Future<?> ring(long nanos, Runnable woken) {
    return unlessRefused(() -> alarms.after(Math.max(0, nanos), woken));
  }

  long now() {
    return ticker.nanos();
  }

  private static <T> @Nullable T unlessRefused(Supplier<T> handing) {
    try {
      return handing.get();
    } catch (RejectedExecutionException fullOrClosed) {
      log.debug("not done now: {}", fullOrClosed.getMessage());
      return null;
    }
  }
}
