package dev.recorder.lock.election;

import static dev.recorder.lock.Leases.free;
import static dev.recorder.lock.Leases.granted;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ElectedWorkerErrorTest {
  /** A lock that nobody looks after must not be kept. */
  @Test
  void anErrorEndsTheWorkAndTheLeaseAndIsTold() throws Exception {
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    Error fatal = new NoClassDefFoundError("com/example/Gone");
    ToldWork work =
        ToldWork.starting(
            first -> {
              throw fatal;
            });
    DistributedLock lock = free(() -> granted(completed -> work.calls.add("released")));
    ElectedWorker worker =
        new ElectedWorker("w", lock, Duration.ofMillis(10), work, Supervision.by(told::add));
    worker.start();

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
    assertThat(work.calls).containsExactly("start", "halt", "released");
    worker.close(Duration.ofSeconds(60));
  }

  /** Nobody ends a worker by one: it is a mistake of the work's, and ends no more than that. */
  @Test
  void anInterruptOfTheWorksOwnEndsTheWorkAndTheLockIsLetGoOfAndAskedForAgain() throws Exception {
    ToldWork work =
        new ToldWork() {
          @Override
          public CompletionStage<?> start(Lease lease) {
            CompletionStage<?> ends = super.start(lease);
            if (calls.size() == 1) {
              throwUndeclared(new InterruptedException("of its own"));
            }
            return ends;
          }
        };
    ElectedWorker worker = working(work);

    await().until(() -> work.calls.size() == 3);

    assertThat(work.calls).containsExactly("start", "released", "start");
    assertThat(worker.state()).isEqualTo(new WorkerState.Working());
    worker.close(Duration.ofSeconds(60));
    assertThat(work.calls).endsWith("stop", "released");
  }

  @Test
  void anInterruptThatTheWorkLeavesIsDroppedAndTheWorkGoesOnUntilItIsStopped() throws Exception {
    ToldWork work =
        new ToldWork() {
          @Override
          public CompletionStage<?> start(Lease lease) {
            Thread.currentThread().interrupt();
            return super.start(lease);
          }

          @Override
          public void stop() {
            super.stop();
            Thread.currentThread().interrupt();
          }
        };
    ElectedWorker worker = working(work);
    await().until(() -> !work.calls.isEmpty());

    worker.yieldTurn();
    await().until(() -> work.calls.size() == 4);

    assertThat(work.calls).containsExactly("start", "stop", "released", "start");
    worker.close(Duration.ofSeconds(60));
    assertThat(work.calls).endsWith("stop", "released");
    assertThat(worker.state()).isEqualTo(new WorkerState.Idle());
  }

  /** As when the work has kept the thread, and interrupts it later. */
  @Test
  void anInterruptThatComesLaterEndsNothing() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    ToldWork work =
        new ToldWork() {
          @Override
          public CompletionStage<?> start(Lease lease) {
            thread.complete(Thread.currentThread());
            return super.start(lease);
          }
        };
    ElectedWorker worker = working(work);

    thread.get(1, TimeUnit.MINUTES).interrupt();
    worker.yieldTurn();

    await().until(() -> work.calls.size() == 4);
    assertThat(work.calls).containsExactly("start", "stop", "released", "start");
    worker.close(Duration.ofSeconds(60));
  }

  /** It was taken for ended when it did not hear that it should: the lock was asked for again. */
  @Test
  void theEndOfAFormerTermsWorkIsNotThatOfThePresentOnes() throws Exception {
    CompletableFuture<Void> first = new CompletableFuture<>();
    ToldWork work =
        new ToldWork() {
          @Override
          public CompletionStage<?> start(Lease lease) {
            CompletionStage<?> ends = super.start(lease);
            return calls.size() == 1 ? first : ends;
          }

          @Override
          public void stop() {
            calls.add("stop");
            if (!first.isDone()) {
              throw new IllegalStateException("does not hear");
            }
            end();
          }
        };
    ElectedWorker worker = working(work);
    await().until(() -> !work.calls.isEmpty());
    worker.yieldTurn();
    await().until(() -> work.calls.size() == 4);

    first.completeExceptionally(new IllegalStateException("late"));
    worker.yieldTurn(); // Heard behind the end of the first.

    await().until(() -> work.calls.size() == 7);
    assertThat(work.calls)
        .containsExactly("start", "stop", "released", "start", "stop", "released", "start");
    worker.close(Duration.ofSeconds(60));
  }

  private static ElectedWorker working(ToldWork work) {
    DistributedLock lock = free(() -> granted(completed -> work.calls.add("released")));
    ElectedWorker worker =
        new ElectedWorker(
            "w", lock, Duration.ofMillis(10), work, Supervision.by(FatalErrorHandler.IGNORED));
    worker.start();
    return worker;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwUndeclared(Throwable failure) throws T {
    throw (T) failure;
  }
}
