package dev.recorder.app.config;

/**
 * Who is active for a log. Without meaning for requests, which every machine works on.
 *
 * @param primary whether this machine is preferred; false with {@link Election#REDIS}, where
 *     whoever has the key is active
 */
public record Leading(Election election, boolean primary, Failback failback) {
  static final Setting<Election> ELECTION = Setting.word("election", Election.ADVISORY);
  static final Setting<Boolean> PRIMARY = Setting.flag("primary");
  static final Setting<Failback> FAILBACK = Setting.word("failback", Failback.AUTO);

  /** Of a recorder that has no active machine. */
  static final Leading NONE = new Leading(Election.ADVISORY, false, Failback.AUTO);

  public Leading {
    if (election == Election.REDIS && primary) {
      throw new IllegalArgumentException("a recorder that a key elects has no primary");
    }
  }

  /** With another's preference; what elects stays as it is until a restart. */
  Leading preferring(Leading other) {
    return election == other.election ? other : this;
  }
}
