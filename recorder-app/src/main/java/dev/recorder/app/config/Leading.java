package dev.recorder.app.config;

/**
 * Who is active for a log. Without meaning for requests, which every machine works on.
 *
 * @param primary whether this machine is preferred; false with {@link ElectionWord#REDIS}, where
 *     whoever has the key is active
 */
public record Leading(ElectionWord election, boolean primary, FailbackWord failback) {
  static final Setting<ElectionWord> ELECTION = Setting.word("election", ElectionWord.ADVISORY);
  static final Setting<Boolean> PRIMARY = Setting.flag("primary");
  static final Setting<FailbackWord> FAILBACK = Setting.word("failback", FailbackWord.AUTO);

  /** Of a recorder that has no active machine. */
  static final Leading NONE = new Leading(ElectionWord.ADVISORY, false, FailbackWord.AUTO);

  public Leading {
    if (election == ElectionWord.REDIS && primary) {
      throw new IllegalArgumentException("a recorder that a key elects has no primary");
    }
  }

  /** With another's preference; what elects stays as it is until a restart. */
  Leading preferring(Leading other) {
    return election == other.election ? other : this;
  }
}
