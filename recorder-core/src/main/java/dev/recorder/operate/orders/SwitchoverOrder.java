package dev.recorder.operate.orders;

import java.time.Duration;

/**
 * An order to hand over a recorder from one machine to another.
 *
 * @param from its holder, as the operator saw it
 * @param epoch the term then; the order is given in it, or not at all
 * @param within after that, by the server's clock, nobody takes the order; up to an hour
 * @param osUser who gives it, as they say
 */
public record SwitchoverOrder(
    String recorder, String from, String to, long epoch, Duration within, String osUser) {
  public static final Duration LONGEST = Duration.ofHours(1);

  public SwitchoverOrder {
    if (within.toMillis() < 1 || within.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the time limit of a switchover must be 1 ms to 1 h, and is " + within);
    }
    osUser = Operator.cut(osUser);
  }

  /** How far it got. */
  public enum SwitchoverProgress {
    /** Nobody has taken it. */
    NEW,
    /** The machine that had the recorder has taken it, and is about to let go, or has. */
    UNDER_WAY,
    DONE,
    /** Another machine than the one it was for has the recorder. */
    ELSEWHERE,
    /** Nobody took it, and nobody will. */
    WITHDRAWN
  }

  /**
   * How far this order got: what counts is who has the recorder.
   *
   * <p>As long as nobody has taken it, it stands whoever has the recorder: it outlives a fault that
   * comes in between.
   */
  public SwitchoverProgress progress(SwitchoverStanding now) {
    boolean moved = now.holder() != null && now.epoch() > epoch;
    if (moved && to.equals(now.holder())) {
      return SwitchoverProgress.DONE;
    }
    return switch (now.state()) {
      case NEW -> SwitchoverProgress.NEW;
      case WITHDRAWN -> SwitchoverProgress.WITHDRAWN;
      case TAKEN, DONE ->
          now.holder() != null && now.epoch() > now.takenIn()
              ? SwitchoverProgress.ELSEWHERE
              : SwitchoverProgress.UNDER_WAY;
    };
  }
}
