package dev.recorder.app.cli.lock;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Waits for a lock up to a limit, even while the server is unreachable. If the server does not
 * answer the last attempt, the wait fails.
 *
 * @param say receives the server's failure once, when the wait is due to the server
 */
record LockAcquisition(DistributedLock lock, Duration limit, Consumer<String> say) {
  /** The pause between two attempts to reach the server. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final Ticker TICKER = Ticker.system();

  /**
   * Takes the lock.
   *
   * @return empty if another process has the lock
   * @throws LockException if it could not be determined whether the lock is free
   */
  Optional<Lease> lease() throws InterruptedException {
    long deadline = TICKER.nanos() + limit.toNanos();
    boolean told = false;
    while (true) {
      try {
        return lock.tryAcquire(Duration.ofNanos(Math.max(0, deadline - TICKER.nanos())));
      } catch (LockException failed) {
        long left = deadline - TICKER.nanos();
        if (!mayPass(failed) || left <= 0) {
          throw failed;
        }
        if (!told) {
          say.accept("waiting: " + failed.problem());
          told = true;
        }
        Pause.sleep(Duration.ofNanos(Math.min(PAUSE.toNanos(), left)));
      }
    }
  }

  /**
   * Whether the failure may be temporary. During a failover, for example, the server's name may
   * lead to a standby server.
   */
  private static boolean mayPass(LockException failed) {
    return failed.kind() == LockException.Kind.UNREACHABLE
        || (failed.getCause() instanceof DatabaseException database && database.mayPassSoon());
  }
}
