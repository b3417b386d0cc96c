package dev.recorder.app.config;

/**
 * Who is active for a log. Without meaning for requests, which every machine works on.
 *
 * @param primary whether this machine is preferred; false with {@link ElectionWord#REDIS}, where
 *     whoever has the key is active
 */
public record Leading(ElectionWord election, boolean primary, FailbackWord failback) {
  static final Setting<ElectionWord> ELECTION =
      Setting.word("election", ElectionWord.ADVISORY)
          .means(
              "Logs only. How the active host is elected: by heartbeats and a lock in"
                  + " the database, or by [an expiring key in"
                  + " Redis](election.md#recorders-that-a-key-elects). The same on all hosts.");
  static final Setting<Boolean> PRIMARY =
      Setting.flag("primary")
          .otherwise("required")
          .means(
              "Whether this host is preferred. `true` on one host only. An error with `kind ="
                  + " requests` and with `election = redis`.");
  static final Setting<FailbackWord> FAILBACK =
      Setting.word("failback", FailbackWord.AUTO)
          .means(
              "Logs only. Whether the recorder goes back to its primary by itself. No effect with"
                  + " `election = redis`.");

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
