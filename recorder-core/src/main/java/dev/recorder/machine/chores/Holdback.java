package dev.recorder.machine.chores;

import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the same transaction keeps old row versions from being removed for {@link #LONG}. It
 * compares successive looks, since not every role can see how long others' transactions have
 * lasted. One thread at a time.
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

  /** Whether the last holder seen was reported. */
  boolean isLong() {
    return told;
  }

  /** Takes a look; returns a holder to log, once for each holder. */
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
