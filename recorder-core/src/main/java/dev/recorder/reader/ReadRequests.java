package dev.recorder.reader;

import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.time.NamedThreadFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls the store on threads of its own, so that an interrupt or {@link #close} ends the wait of
 * the calling thread even if the store hangs. For one calling thread, which waits for its earliest
 * request first. So the number of requests is limited by the slots that a reader may fetch ahead.
 * Any thread may close it.
 */
final class ReadRequests implements AutoCloseable {
  private final ExecutorService threads;
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

  ReadRequests(int threads) {
    this.threads = Executors.newFixedThreadPool(threads, new NamedThreadFactory("read-log"));
  }

  /**
   * Starts a request.
   *
   * @param ifClosed the answer if this is closed before the request's answer arrives
   */
  <T> PendingRead<T> ask(Supplier<T> question, T ifClosed) {
    try {
      return new PendingRead<>(CompletableFuture.supplyAsync(question, threads), ifClosed);
    } catch (RejectedExecutionException isClosed) {
      return new PendingRead<>(CompletableFuture.completedFuture(ifClosed), ifClosed);
    }
  }

  /** Waits for {@code time}, or until this is closed. */
  void pause(Duration time) {
    try {
      closed.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException over) {
      // It was not closed meanwhile.
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  boolean isClosed() {
    return closed.isDone();
  }

  @Override
  public void close() {
    closed.complete(true);
    threads.shutdownNow();
  }

  private static LogReadException interrupted() {
    Thread.currentThread().interrupt();
    return new LogReadException(LogReadErrorKind.INTERRUPTED, "interrupted while a log was read");
  }

  final class PendingRead<T> {
    private final CompletableFuture<T> answer;
    private final T ifClosed;

    private PendingRead(CompletableFuture<T> answer, T ifClosed) {
      this.answer = answer;
      this.ifClosed = ifClosed;
    }

    /** Returns the answer, if it has arrived and is not a failure. */
    Optional<T> known() {
      boolean came = answer.isDone() && !answer.isCompletedExceptionally();
      return came ? Optional.of(answer.join()) : Optional.empty();
    }

    /**
     * Waits for the answer.
     *
     * @throws LogReadException if the request failed, or the thread is interrupted
     */
    T await() {
      if (!closed.isDone() && Thread.interrupted()) {
        throw interrupted(); // Also if the answer has already arrived.
      }
      try {
        CompletableFuture.anyOf(closed, answer).get();
        return closed.isDone() ? ifClosed : answer.join();
      } catch (InterruptedException e) {
        throw interrupted();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw e.getCause() instanceof RuntimeException failure
            ? failure
            : new IllegalStateException(e.getCause());
      }
    }
  }
}
