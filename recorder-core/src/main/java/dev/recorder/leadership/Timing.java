package dev.recorder.leadership;

import java.time.Duration;

/**
 * The durations of leadership, all on local monotonic time.
 *
 * @param heartbeat how often a host renews its row
 * @param lease how long a host may start writes after it has <em>sent</em> a heartbeat that is then
 *     confirmed
 * @param takeoverAfter silence after which a standby evicts the active host
 * @param watch how often a host watches the others, while it could take over a recorder
 * @param failbackAfter how long a primary must have been healthy before its recorder returns to it
 * @param stuckAfter how long an active host makes no progress before it looks for a peer
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

  /** Returns a builder with these durations. */
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
   * Returns the watch interval of a host that is active for all its recorders and only has to see
   * requests.
   */
  Duration calmWatch() {
    return watch.compareTo(heartbeat) < 0 ? heartbeat : watch;
  }

  /** Builds a timing. Not thread-safe. */
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
     * Returns the timing.
     *
     * @throws IllegalArgumentException if they break the timing law
     */
    public Timing build() {
      return new Timing(heartbeat, lease, takeoverAfter, watch, failbackAfter, stuckAfter);
    }
  }
}
