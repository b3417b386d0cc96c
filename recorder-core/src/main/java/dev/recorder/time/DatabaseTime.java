package dev.recorder.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database's time of day, which all hosts share. It was told at some moment, and has run since
 * then as long as this host's monotonic clock: a wrong time of day on the host has no effect.
 * Thread-safe.
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

  /** The database has just told this time. */
  public void told(Instant at) {
    last = new ToldTime(at, ticker.nanos());
  }

  /** Empty before the database has told it for the first time. */
  public Optional<Instant> now() {
    ToldTime told = last;
    return told == null
        ? Optional.empty()
        : Optional.of(told.at().plus(Duration.ofNanos(ticker.nanos() - told.nanos())));
  }
}
