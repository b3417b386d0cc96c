package dev.recorder.lock.postgres.tasks;

import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.await;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.RowSite;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Which threads there are for tasks that are held as locks. */
@Isolated("It counts threads of the process, and others have such too.")
class TaskThreadsIT {
  @Test
  void theyLiveWhileLeasesAreOpenAndALittleLonger() throws Exception {
    try (TaskLocks locks =
        new TaskLocks(RowSite.shared().sessions("a"), Duration.ofMinutes(1), Instruments.PLAIN)) {
      Lease lease = take(locks.lock("threads"));
      await().until(() -> threads() > 0);
      lease.close();
      await().until(() -> threads() == 0);
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getName().startsWith("task-look")
                    || thread.getName().startsWith("task-deadlines"))
        .count();
  }
}
