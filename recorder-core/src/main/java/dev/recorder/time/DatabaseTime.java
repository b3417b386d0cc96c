package dev.recorder.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database's time of day, which all hosts share. It is the time that the database last told,
 * plus the time since then by this host's monotonic clock. A wrong time of day on the host has no
 * effect. Thread-safe.
 */
public final class DatabaseTime {
  private final Ticker ticker;
  private volatile @Nullable ToldTime last;

  private record ToldTime(Instant at, long nanos) {}

  public DatabaseTime() {
    this(Ticker.system());
  }

  public DatabaseTime(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Sets the time that the database has just told. */
  public void told(Instant at) {
    last = new ToldTime(at, ticker.nanos());
  }

  /** Returns the database's time now; empty before the first {@link #told}. */
  public Optional<Instant> now() {
    ToldTime told = last;
    return told == null
        ? Optional.empty()
        : Optional.of(told.at().plus(Duration.ofNanos(ticker.nanos() - told.nanos())));
  }
}
