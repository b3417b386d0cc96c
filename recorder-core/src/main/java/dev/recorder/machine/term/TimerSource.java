package dev.recorder.machine.term;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A source of rows for trying things out: while its machine is active, one tick per interval. While
 * a tick waits for the data session, or that takes no more, the next is skipped.
 */
final class TimerSource implements AutoCloseable {
  private final BooleanSupplier mayWrite;
  private final Executor session;
  private final Runnable insert;
  private final ScheduledFuture<?> schedule;
  private volatile boolean waiting;

  TimerSource(
      Duration interval,
      ScheduledExecutorService timer,
      BooleanSupplier mayWrite,
      Executor session,
      Runnable insert) {
    this.mayWrite = mayWrite;
    this.session = session;
    this.insert = insert;
    this.schedule =
        timer.scheduleAtFixedRate(
            this::tick, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (!waiting && mayWrite.getAsBoolean()) {
      waiting = true;
      try {
        session.execute(
            () -> {
              waiting = false;
              insert.run();
            });
      } catch (RejectedExecutionException full) {
        waiting = false; // Let through, it would end the schedule.
      }
    }
  }

  @Override
  public void close() {
    schedule.cancel(false);
  }
}
