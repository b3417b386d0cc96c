package dev.recorder.app.cli.log;

import dev.recorder.audit.SecondReader;
import dev.recorder.time.NamedThreadFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Reads the hand-off table on a thread of its own, while the caller reads the log. */
final class BackgroundReading implements SecondReader {
  private static final NamedThreadFactory THREADS = new NamedThreadFactory("read-hand-off");

  @Override
  public SideReading begin(Runnable reading) {
    FutureTask<Boolean> task = new FutureTask<>(reading, true);
    THREADS.newThread(task).start();
    return new SideReading() {
      @Override
      public void check() {
        if (task.isDone()) {
          end();
        }
      }

      @Override
      public void end() {
        try {
          task.get();
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while the hand-off was read", e);
        }
      }
    };
  }

  private static RuntimeException rethrown(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      return unchecked;
    } else if (failure instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(failure);
  }
}
