package dev.recorder.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease, and how that changes. Pure: moments are given, in nanoseconds of a
 * monotonic ticker.
 *
 * <p>A confirmation counts from before its request was sent, since the server may have acted on it
 * at once; one whose answer comes after the end does not bring a lease back to life, as its end may
 * have been acted upon.
 *
 * @param until the moment at which it ends unless confirmed
 * @param expiry the cause that its running out has; null if that is no loss
 * @param loss how it ended; only in state LOST
 */
public record LeaseLife(
    LeaseState state, long until, Loss.@Nullable Cause expiry, @Nullable Loss loss) {

  /** A lease that outlives everything but its release: for kinds without a time limit. */
  public static final Duration UNLIMITED = Duration.ofDays(36_500);

  /** As granted by a request that was sent at {@code sentAt}. */
  public static LeaseLife granted(long sentAt, Duration validity, Loss.Cause expiry) {
    return new LeaseLife(LeaseState.HELD, sentAt + validity.toNanos(), expiry, null);
  }

  /** As granted for a time that excludes all others, and whose end is no loss. */
  public static LeaseLife turn(long sentAt, Duration length) {
    return new LeaseLife(LeaseState.HELD, sentAt + length.toNanos(), null, null);
  }

  /** As of {@code now}: ended if its time has run out. */
  public LeaseLife at(long now) {
    return state.isFinal() || expiry == null || now - until < 0
        ? this
        : ended(new Loss(expiry, "it was not confirmed in time"));
  }

  /** A request sent at {@code sentAt} was answered, by {@code now}: still ours. */
  public LeaseLife confirmed(long sentAt, Duration validity, long now) {
    LeaseLife current = at(now);
    if (current.state.isFinal()) {
      return current;
    }
    long later = sentAt + validity.toNanos();
    return new LeaseLife(LeaseState.HELD, later - until > 0 ? later : until, expiry, null);
  }

  /** A confirmation failed or is overdue. */
  public LeaseLife doubted(long now) {
    LeaseLife current = at(now);
    return current.state == LeaseState.HELD
        ? new LeaseLife(LeaseState.IN_DOUBT, until, expiry, null)
        : current;
  }

  /** It was seen to be gone. */
  public LeaseLife ended(Loss seen) {
    return state.isFinal() ? this : new LeaseLife(LeaseState.LOST, until, expiry, seen);
  }

  /** Its holder lets go, at {@code now}; if it is too late for that, it stays lost. */
  public LeaseLife released(long now) {
    LeaseLife current = at(now);
    return current.state.isFinal()
        ? current
        : new LeaseLife(LeaseState.RELEASED, until, expiry, null);
  }

  /** How much is left; zero once it has ended. */
  public Duration remaining(long now) {
    return at(now).state.isFinal() ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - now));
  }
}
