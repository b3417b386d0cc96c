package dev.recorder.time;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One thread for scheduled tasks. It reports failed tasks to a handler. The JDK's executor would
 * hide a failure in a future that no caller reads, and a caller that waits for the task would wait
 * forever.
 */
public final class Timer extends ScheduledThreadPoolExecutor {
  private final FatalErrorHandler fatal;

  public Timer(String role, FatalErrorHandler fatal) {
    super(1, new NamedThreadFactory(role, fatal));
    this.fatal = fatal;
    setRemoveOnCancelPolicy(true);
  }

  @Override
  protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
    super.afterExecute(task, thrown);
    if (thrown == null && task instanceof Future<?> future && future.isDone()) {
      try {
        future.get();
      } catch (ExecutionException e) {
        fatal.failed(Objects.requireNonNullElse(e.getCause(), e));
      } catch (CancellationException cancelled) {
        // The caller that cancelled it does not wait for it.
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
