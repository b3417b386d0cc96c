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

/** Hands work to lanes: chores when they are due, and single tasks. Thread-safe. */
public final class Schedule {
  private static final Logger log = LoggerFactory.getLogger(Schedule.class);

  private final Alarms alarms;
  private final Ticker ticker;

  /** A timer; it may refuse when it is closed. */
  @FunctionalInterface
  public interface Alarms {
    /** Runs something short after {@code nanos} nanoseconds. */
    Future<?> after(long nanos, Runnable woken);
  }

  /** Creates a schedule without work. */
  public Schedule(Alarms alarms, Ticker ticker) {
    this.alarms = alarms;
    this.ticker = ticker;
  }

  /** Begins a chore; its first turn comes after its interval. */
  public ScheduledChore begin(Chore chore) {
    return new ScheduledChore(this, chore);
  }

  /** Hands {@code work} to the lane once, now; returns false if the lane refuses it. */
  public boolean hand(Executor lane, Runnable work) {
    return unlessRefused(
            () -> {
              lane.execute(work);
              return true;
            })
        != null;
  }

  /** Hands {@code work} to the lane once, after a delay, unless the host has ended by then. */
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
