package dev.recorder.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The known state of a lease, and its transitions. Pure: moments are passed in nanoseconds of a
 * monotonic ticker.
 *
 * <p>A confirmation counts from before its request was sent, since the server may have acted at
 * once. A confirmation that arrives after the end does not revive a lease, because the holder may
 * have acted on the end.
 *
 * @param until when the lease ends unless it is confirmed
 * @param expiry the cause of loss when the lease runs out; null if running out is no loss
 * @param loss how the lease was lost; only in state LOST
 */
public record LeaseLife(
    LeaseState state, long until, Loss.@Nullable Cause expiry, @Nullable Loss loss) {

  /** The validity of leases without a time limit. */
  public static final Duration UNLIMITED = Duration.ofDays(36_500);

  /** Returns a lease granted by a request that was sent at {@code sentAt}. */
  public static LeaseLife granted(long sentAt, Duration validity, Loss.Cause expiry) {
    return new LeaseLife(LeaseState.HELD, sentAt + validity.toNanos(), expiry, null);
  }

  /** Returns a lease for a fixed time, whose end is no loss. */
  public static LeaseLife turn(long sentAt, Duration length) {
    return new LeaseLife(LeaseState.HELD, sentAt + length.toNanos(), null, null);
  }

  /** Returns the state at {@code now}: lost if its time has run out. */
  public LeaseLife at(long now) {
    return state.isFinal() || expiry == null || now - until < 0
        ? this
        : ended(new Loss(expiry, "it was not confirmed in time"));
  }

  /**
   * Returns the state after a confirmation: a request sent at {@code sentAt} was answered by {@code
   * now}, and the lease is still held.
   */
  public LeaseLife confirmed(long sentAt, Duration validity, long now) {
    LeaseLife current = at(now);
    if (current.state.isFinal()) {
      return current;
    }
    long later = sentAt + validity.toNanos();
    return new LeaseLife(LeaseState.HELD, later - until > 0 ? later : until, expiry, null);
  }

  /** Returns the state after a confirmation failed or became overdue. */
  public LeaseLife doubted(long now) {
    LeaseLife current = at(now);
    return current.state == LeaseState.HELD
        ? new LeaseLife(LeaseState.IN_DOUBT, until, expiry, null)
        : current;
  }

  /** Returns the state after the lock was seen to be lost. */
  public LeaseLife ended(Loss seen) {
    return state.isFinal() ? this : new LeaseLife(LeaseState.LOST, until, expiry, seen);
  }

  /**
   * Returns the state after the holder's release at {@code now}; a lease that has run out stays
   * lost.
   */
  public LeaseLife released(long now) {
    LeaseLife current = at(now);
    return current.state.isFinal()
        ? current
        : new LeaseLife(LeaseState.RELEASED, until, expiry, null);
  }

  /** Returns the time left; zero once the lease has ended. */
  public Duration remaining(long now) {
    return at(now).state.isFinal() ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - now));
  }
}
