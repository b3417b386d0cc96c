package dev.recorder.machine.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.logging.LogContext;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.postgres.holders.RecorderKeys;
import dev.recorder.postgres.holders.ToldHolders;
import dev.recorder.schema.Setup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every {@value #EVERY_SECONDS} s, whether a session that is no recorder's holds a key of
 * ours: a lockid of this machine's recorders or of set-up, for which nobody can be active then, or
 * one by which hosts share work. Nothing else tells why. Says so once, and once when it is over.
 */
public final class ForeignLockMonitor {
  private static final Logger log = LoggerFactory.getLogger(ForeignLockMonitor.class);
  private static final int EVERY_SECONDS = 5;

  private final RdsManager manager;
  private final SharedResources resources;
  private volatile Set<Integer> lockIds;

  @GuardedBy("this")
  private final ToldHolders told = new ToldHolders(log);

  public ForeignLockMonitor(RdsManager manager, SharedResources resources, Registration mine) {
    this.manager = manager;
    this.resources = resources;
    this.lockIds = watched(mine);
    var unused =
        resources.timer().scheduleWithFixedDelay(this::hand, 1, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** What this machine is from now on. */
  public void watch(Registration changed) {
    lockIds = watched(changed);
  }

  private static Set<Integer> watched(Registration mine) {
    Set<Integer> watched = new HashSet<>(mine.lockIds());
    watched.add(Setup.LOCK_ID);
    return Set.copyOf(watched);
  }

  private void hand() {
    try {
      resources.store().execute(this::look);
    } catch (RejectedExecutionException stopping) {
      log.debug("stopping: no more looks at others' locks");
    }
  }

  private synchronized void look() {
    List<LockHolder> now;
    try {
      Set<Integer> watched = lockIds;
      now =
          manager.call(
              connection -> RecorderKeys.foreignHolders(connection, manager.schemas(), watched));
    } catch (DatabaseException notNow) {
      return; // That it is not reachable is told by whoever needs it.
    }
    try (LogContext context = LogContext.of(manager.machine())) {
      told.are(now);
    }
  }
}
