package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.postgres.tasks.TaskLocks;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder is told when the thread fails that would tell of a loss. */
@Isolated("Whatever waits in this process by means of Awaitility hears of a thread that fails.")
class WatchFailuresIT {
  private volatile boolean broken;

  private Instruments failingOn(String thread) {
    return new Instruments(
        () -> {
          if (broken && Thread.currentThread().getName().startsWith(thread)) {
            throw new NoClassDefFoundError("com/example/Gone");
          }
          return System.nanoTime();
        },
        LockListener.NONE);
  }

  @Test
  void anAdvisoryLockIsLostWithItsWatch() throws Exception {
    try (AdvisoryLocks locks =
        new AdvisoryLocks(RowSite.shared().sessions("w"), failingOn("lock-look"))) {
      Lease lease = take(locks.lock("a-lock"));
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }

  /** As a listener may leave one: nobody ends this thread so. */
  @Test
  void anInterruptThatIsLeftOnItEndsNoWatch() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Instruments leaving =
        new Instruments(
            () -> {
              if (Thread.currentThread().getName().startsWith("lock-look")) {
                looks.incrementAndGet();
                Thread.currentThread().interrupt();
              }
              return System.nanoTime();
            },
            LockListener.NONE);
    try (AdvisoryLocks locks = new AdvisoryLocks(RowSite.shared().sessions("w"), leaving)) {
      Lease lease = take(locks.lock("another-lock"));

      await().until(() -> looks.get() > 20); // Each look asks for the time twice or three times.

      assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"task-look", "task-deadlines"})
  void aTaskIsLostWithItsWatch(String thread) throws Exception {
    Sessions sessions = RowSite.shared().sessions("w");
    try (TaskLocks locks = new TaskLocks(sessions, Duration.ofSeconds(2), failingOn(thread))) {
      Lease lease = take(locks.lock(thread));
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }
}
