package dev.recorder.operate.orders;

import java.time.Duration;

/**
 * An order to hand over a recorder from one host to another.
 *
 * @param from the recorder's holder, as the operator saw it
 * @param epoch the holder's term at that moment; in a later term the order is refused
 * @param within the time after which no host takes the order, by the server's clock; at most an
 *     hour
 * @param osUser the operator, as stated by the command
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

  /** The progress of an order. */
  public enum SwitchoverProgress {
    /** No host has taken it. */
    NEW,
    /** The former holder has taken it, and is releasing the recorder, or has released it. */
    UNDER_WAY,
    DONE,
    /** A host other than the target has the recorder. */
    ELSEWHERE,
    /** No host took it, and none will. */
    WITHDRAWN
  }

  /**
   * Returns the progress of this order, judged by which host has the recorder.
   *
   * <p>Until a host takes the order, it stays valid for any holder, so that it survives a fault in
   * between.
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
