package dev.recorder.machine.chores;

import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the same hold keeps old row versions from being removed for {@link #LONG}, by
 * looking again and again: how long others have been in their transactions is not for every role to
 * see. One thread at a time.
 */
final class Holdback {
  static final Duration LONG = Duration.ofMinutes(10);

  private final Ticker ticker;
  private @Nullable XminHolder seen;
  private long since;
  private boolean told;

  Holdback(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Whether what was last seen is one that was told. */
  boolean isLong() {
    return told;
  }

  /** Takes a look; returns what to log now, once for each hold. */
  Optional<XminHolder> look(Optional<XminHolder> oldest) {
    XminHolder holder = oldest.orElse(null);
    if (holder == null || seen == null || !holder.xmin().equals(seen.xmin())) {
      seen = holder;
      since = ticker.nanos();
      told = false;
      return Optional.empty();
    }
    seen = holder;
    if (told || ticker.nanos() - since < LONG.toNanos()) {
      return Optional.empty();
    }
    told = true;
    return oldest;
  }
}
