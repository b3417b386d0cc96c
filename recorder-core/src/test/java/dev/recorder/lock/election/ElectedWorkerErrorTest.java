package dev.recorder.lock.election;

import static dev.recorder.lock.Leases.free;
import static dev.recorder.lock.Leases.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.DistributedLock;
import dev.recorder.time.Supervision;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
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
}
