package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.lossOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockListener;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
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
      Lease lease = locks.lock("a-lock").acquire();
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"task-look", "task-deadlines"})
  void aTaskIsLostWithItsWatch(String thread) throws Exception {
    Sessions sessions = RowSite.shared().sessions("w");
    try (TaskLocks locks = new TaskLocks(sessions, Duration.ofSeconds(2), failingOn(thread))) {
      Lease lease = locks.lock(thread).acquire();
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }
}
