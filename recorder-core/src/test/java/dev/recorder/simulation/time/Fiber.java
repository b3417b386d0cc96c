package dev.recorder.simulation.time;

import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Code of the product that waits for its answers, run so that it stands still until they come: on a
 * thread of its own, in turns with the run's, of which one only ever goes on.
 */
public final class Fiber {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "fiber");
            thread.setDaemon(true);
            return thread;
          });

  private final Semaphore mine = new Semaphore(0);
  private final Semaphore worlds = new Semaphore(0);
  private @Nullable Runnable request;
  private @Nullable Object given;
  private @Nullable Throwable failure;
  private boolean cancelled;
  private boolean over;

  /** The run is over. */
  private static final class Cancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Cancelled() {
      super("the run is over", null, false, false);
    }
  }

  /** Runs {@code work} until it waits for the first time, or ends. */
  public void start(Runnable work) {
    THREADS.execute(
        () -> {
          mine.acquireUninterruptibly();
          try {
            work.run();
          } catch (Cancelled end) {
            // Nobody waits for it.
          } catch (RuntimeException | Error e) {
            failure = e;
          } finally {
            over = true;
            worlds.release();
          }
        });
    goOn();
  }

  /**
   * In the work: waits for an answer.
   *
   * @param asking asks, and gives the answer to whom it is given; at a later step
   */
  @SuppressWarnings("unchecked") // what is given is what was asked for
  public <T> T await(Consumer<Consumer<T>> asking) {
    request = () -> asking.accept(this::give);
    worlds.release();
    mine.acquireUninterruptibly();
    if (cancelled) {
      throw new Cancelled();
    }
    return (T) Objects.requireNonNull(given);
  }

  private void give(Object answer) {
    given = answer;
    goOn();
  }

  private void goOn() {
    mine.release();
    worlds.acquireUninterruptibly();
    if (failure instanceof Error e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    }
    Runnable asked = request;
    request = null;
    if (asked != null) {
      asked.run();
    }
  }

  /** Ends the work, if it still waits. */
  public void cancel() {
    if (!over) {
      cancelled = true;
      mine.release();
      worlds.acquireUninterruptibly();
    }
  }
}
