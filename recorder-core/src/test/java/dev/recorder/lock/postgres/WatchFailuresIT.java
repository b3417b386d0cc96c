package dev.recorder.lock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.Loss;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.TestDatabase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A holder is told when the thread fails that would tell of a loss. */
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
    try (TestDatabase database = TestDatabase.createOwned();
        AdvisoryLocks locks =
            new AdvisoryLocks(
                LockSites.sessions(database, "w", database.server().port()),
                failingOn("lock-look"))) {
      Lease lease = locks.lock("a-lock").acquire();
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"task-look", "task-deadlines"})
  void aTaskIsLostWithItsWatch(String thread) throws Exception {
    try (RowSite site = RowSite.create();
        TaskLocks locks =
            new TaskLocks(site.sessions("w"), Duration.ofSeconds(2), failingOn(thread))) {
      Lease lease = locks.lock("a-task").acquire();
      broken = true;

      assertThat(lossOf(lease).detail()).contains("its watch has failed", "com/example/Gone");
    }
  }

  private static Loss lossOf(Lease lease) throws Exception {
    return lease.lost().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
