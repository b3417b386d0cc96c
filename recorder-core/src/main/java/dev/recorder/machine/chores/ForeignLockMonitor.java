package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.Registration;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.holders.LockHolderLog;
import dev.recorder.postgres.holders.RecorderLockKeys;
import dev.recorder.schema.Setup;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, every five seconds, whether a session that is no recorder's holds an advisory lock of
 * ours: a lockid of this host's recorders or of set-up, or a lock by which hosts share work. No
 * host can become active for a recorder whose lockid is held. No other log line gives this reason.
 * Logs each such session once, and once when it is gone.
 */
public final class ForeignLockMonitor {
  private static final Logger log = LoggerFactory.getLogger(ForeignLockMonitor.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration FIRST = Duration.ofSeconds(1);

  private final RdsManager manager;
  private volatile Set<Integer> lockIds;

  // Used by one turn at a time.
  private final LockHolderLog told = new LockHolderLog(log);

  public ForeignLockMonitor(RdsManager manager, SharedResources resources, Registration mine) {
    this.manager = manager;
    this.lockIds = watched(mine);
    resources.begin("a look at keys that others hold", EVERY, this::look).dueIn(FIRST);
  }

  /** Sets this host's present registration. */
  public void watch(Registration changed) {
    lockIds = watched(changed);
  }

  private static Set<Integer> watched(Registration mine) {
    Set<Integer> watched = new HashSet<>(mine.lockIds());
    watched.add(Setup.LOCK_ID);
    return Set.copyOf(watched);
  }

  private void look() {
    Set<Integer> watched = lockIds;
    told.are(manager.call(c -> RecorderLockKeys.foreignHolders(c, manager.schemas(), watched)));
  }
}
