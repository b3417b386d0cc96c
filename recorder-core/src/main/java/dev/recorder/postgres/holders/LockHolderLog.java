package dev.recorder.postgres.holders;

import dev.recorder.logging.LogEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Logs each foreign holder of one of the recorder's keys once, and once more when it has released
 * the key. For one thread.
 */
public final class LockHolderLog {
  private final Logger log;
  private final Set<LockHolder> known = new HashSet<>();

  public LockHolderLog(Logger log) {
    this.log = log;
  }

  /** Takes the current foreign holders, and logs the changes. */
  public void are(List<LockHolder> now) {
    for (LockHolder gone : Set.copyOf(known)) {
      if (!now.contains(gone)) {
        known.remove(gone);
        log.info(LogEvent.LOCK_FREE, "{} is free again; it was held by {}", gone.what(), gone);
      }
    }
    for (LockHolder holder : now) {
      if (known.add(holder)) {
        log.warn(
            LogEvent.LOCK_TAKEN,
            "{} is held by a foreign session, so no recorder can take it: {}; {}",
            holder.what(),
            holder,
            holder.remedy());
      }
    }
  }
}
