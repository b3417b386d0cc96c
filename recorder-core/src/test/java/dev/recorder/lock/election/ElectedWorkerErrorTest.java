package dev.recorder.lock.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.Loss;
import dev.recorder.lock.TrackedLease;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ElectedWorkerErrorTest {
  /** A lock that nobody looks after must not be kept. */
  @Test
  void anErrorEndsTheWorkAndTheLeaseAndIsTold() throws Exception {
    List<String> done = new CopyOnWriteArrayList<>();
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    Error fatal = new NoClassDefFoundError("com/example/Gone");
    DistributedLock lock =
        new ContendedLock(
            "a-lock", limit -> Optional.of(lease(done)), Duration.ofMillis(10), Instruments.PLAIN);
    ElectedWork work =
        new ElectedWork() {
          @Override
          public CompletionStage<?> start(Lease lease) {
            throw fatal;
          }

          @Override
          public void stop() {}

          @Override
          public void halt() {
            done.add("halted");
          }
        };
    ElectedWorker worker =
        new ElectedWorker("w", lock, Duration.ofMillis(10), work, Supervision.by(told::add));
    worker.start();

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
    assertThat(done).containsExactly("halted", "released");
    worker.close(Duration.ofSeconds(60));
  }

  private static TrackedLease lease(List<String> done) {
    return new TrackedLease(
        "lease",
        1,
        LeaseLife.granted(Ticker.system().nanos(), LeaseLife.UNLIMITED, Loss.Cause.LEASE_EXPIRED),
        (which, complete) -> {
          done.add("released");
          return null;
        },
        Instruments.PLAIN);
  }
}
