package dev.recorder.leadership;

import java.time.Duration;

/**
 * The durations of leadership, all on local monotonic time.
 *
 * @param heartbeat how often a machine renews its row
 * @param lease how long after <em>sending</em> a heartbeat that was then confirmed a machine may
 *     start writes
 * @param takeoverAfter silence after which a standby evicts the active machine
 * @param watch how often a machine looks at the others, while it could take over something
 * @param failbackAfter how long a primary must have been healthy before it gets its recorder back
 * @param stuckAfter how long an active machine makes no progress before it looks for a peer
 */
public record Timing(
    Duration heartbeat,
    Duration lease,
    Duration takeoverAfter,
    Duration watch,
    Duration failbackAfter,
    Duration stuckAfter) {
  public static final Timing DEFAULT =
      new Builder()
          .heartbeat(Duration.ofMillis(500))
          .lease(Duration.ofMillis(1500))
          .takeoverAfter(Duration.ofSeconds(2))
          .watch(Duration.ofMillis(50))
          .failbackAfter(Duration.ofSeconds(10))
          .stuckAfter(Duration.ofSeconds(10))
          .build();

  public Timing {
    if (heartbeat.compareTo(lease) >= 0 || lease.compareTo(takeoverAfter) >= 0) {
      throw new IllegalArgumentException(
          "timing law: heartbeat < lease < takeover_after, got "
              + heartbeat
              + ", "
              + lease
              + ", "
              + takeoverAfter);
    }
  }

  /** The same durations, to be changed. */
  public Builder change() {
    return new Builder()
        .heartbeat(heartbeat)
        .lease(lease)
        .takeoverAfter(takeoverAfter)
        .watch(watch)
        .failbackAfter(failbackAfter)
        .stuckAfter(stuckAfter);
  }

  /**
   * Watch interval of a machine that is active for all its recorders; it still has to see requests.
   */
  Duration calmWatch() {
    return watch.compareTo(heartbeat) < 0 ? heartbeat : watch;
  }

  /** Durations that are being put together; not thread-safe. */
  public static final class Builder {
    private Duration heartbeat = Duration.ZERO;
    private Duration lease = Duration.ZERO;
    private Duration takeoverAfter = Duration.ZERO;
    private Duration watch = Duration.ZERO;
    private Duration failbackAfter = Duration.ZERO;
    private Duration stuckAfter = Duration.ZERO;

    private Builder() {}

    /** See {@link Timing}. */
    public Builder heartbeat(Duration given) {
      heartbeat = given;
      return this;
    }

    /** See {@link Timing}. */
    public Builder lease(Duration given) {
      lease = given;
      return this;
    }

    /** See {@link Timing}. */
    public Builder takeoverAfter(Duration given) {
      takeoverAfter = given;
      return this;
    }

    /** See {@link Timing}. */
    public Builder watch(Duration given) {
      watch = given;
      return this;
    }

    /** See {@link Timing}. */
    public Builder failbackAfter(Duration given) {
      failbackAfter = given;
      return this;
    }

    /** See {@link Timing}. */
    public Builder stuckAfter(Duration given) {
      stuckAfter = given;
      return this;
    }

    /**
     * The durations.
     *
     * @throws IllegalArgumentException if they break the timing law
     */
    public Timing build() {
      return new Timing(heartbeat, lease, takeoverAfter, watch, failbackAfter, stuckAfter);
    }
  }
}
