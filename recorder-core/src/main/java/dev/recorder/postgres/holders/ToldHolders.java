package dev.recorder.postgres.holders;

import dev.recorder.logging.LogEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;

/** Says once of each stranger who holds a key of ours, and once when that is over. One thread. */
public final class ToldHolders {
  private final Logger log;
  private final Set<LockHolder> known = new HashSet<>();

  /** Says it here. */
  public ToldHolders(Logger log) {
    this.log = log;
  }

  /** These hold keys now, and no others. */
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
