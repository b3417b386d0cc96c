package dev.recorder.lock;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A thread that asks for a lock, and what it gets. */
public final class Waiter<T> {
  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private final Thread thread;

  public Waiter(Callable<T> asking) {
    thread =
        new Thread(
            () -> {
              try {
                outcome.complete(asking.call());
              } catch (Throwable failed) {
                outcome.completeExceptionally(failed);
              }
            });
    thread.start();
  }

  /** One that waits until it has it. */
  public static Waiter<Lease> of(DistributedLock lock) {
    return new Waiter<>(lock::acquire);
  }

  public CompletableFuture<T> outcome() {
    return outcome;
  }

  public void interrupt() {
    thread.interrupt();
  }

  /** An interrupt was the end of it. */
  public void assertInterrupted() {
    assertThat(outcome)
        .failsWithin(A_MINUTE)
        .withThrowableThat()
        .withCauseInstanceOf(InterruptedException.class);
  }
}
