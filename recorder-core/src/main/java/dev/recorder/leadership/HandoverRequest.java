package dev.recorder.leadership;

import java.util.Locale;

/**
 * A request that a recorder move to a certain machine: written into its row, applied by the active
 * machine, which then hands over gracefully.
 *
 * @param to the target machine
 */
public record HandoverRequest(String to, Why why) {
  /** Who asks for it. */
  public enum Why {
    /** An operator changed {@code primary} in the configuration. */
    FLIP(TakeoverReason.SWITCHOVER),
    /** An operator named the machine. */
    OPERATOR(TakeoverReason.SWITCHOVER),
    /** The active machine's own: the primary is back and has been healthy for long enough. */
    FAILBACK(TakeoverReason.FAILBACK),
    /** The active machine's own: it makes no progress here, and a peer is able to. */
    STUCK(TakeoverReason.STUCK);

    private final TakeoverReason reason;

    Why(TakeoverReason reason) {
      this.reason = reason;
    }

    /** What the successor's receipt says. */
    public TakeoverReason reason() {
      return reason;
    }

    /** The inverse of {@link #toString()}. */
    public static Why named(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public String toString() {
    return switch (why) {
      case FLIP -> "an operator made " + to + " its primary";
      case OPERATOR -> "an operator moves it to " + to;
      case FAILBACK -> "its primary " + to + " is back";
      case STUCK -> "it makes no progress here, " + to + " may";
    };
  }
}
