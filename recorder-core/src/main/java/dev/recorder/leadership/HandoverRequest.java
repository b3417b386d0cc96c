package dev.recorder.leadership;

import java.util.Locale;

/**
 * A request in a recorder's row to move the recorder to a certain host. The active host applies it
 * by a graceful hand-over.
 *
 * @param to the target host
 */
public record HandoverRequest(String to, Why why) {
  /** The origin of the request. */
  public enum Why {
    /** An operator changed {@code primary} in the configuration. */
    FLIP(TakeoverReason.SWITCHOVER),
    /** An operator named the host. */
    OPERATOR(TakeoverReason.SWITCHOVER),
    /** The active host requests it, as the primary has been healthy for long enough. */
    FAILBACK(TakeoverReason.FAILBACK),
    /**
     * The active host requests it, as the recorder makes no progress here and a peer is able to
     * take it.
     */
    STUCK(TakeoverReason.STUCK);

    private final TakeoverReason reason;

    Why(TakeoverReason reason) {
      this.reason = reason;
    }

    /** Returns the reason in the successor's receipt. */
    public TakeoverReason reason() {
      return reason;
    }

    /** Returns the value for a word of {@link #toString()}. */
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
