package dev.recorder.leadership;

import dev.recorder.handoff.Term;

/** A signal of the {@link Coordinator} to its host. */
public sealed interface Signal {

  /** The control session is up and this host is registered. */
  record Up(int pid) implements Signal {}

  /** The control session is lost. A {@link TermEnded} for each term came before. */
  record Down(String why) implements Signal {}

  /**
   * Not connected, as another process runs under this host's name. The connect is retried, with
   * backoff.
   */
  record NameTaken(String why) implements Signal {}

  /** Not connected. The connect is retried. */
  record Unreachable(String why) implements Signal {}

  /** Other sessions repeatedly block this host's statements. */
  record Blocked(String why) implements Signal {}

  /** This host is active for a recorder: begin to write. */
  record TermBegun(Term term, ControlAnswer.Receipt receipt) implements Signal {}

  /**
   * Leave a term: settle the slot under way, begin no other, and call {@link Coordinator#release}.
   * If that takes too long, {@link TermEnded} comes first.
   */
  record Leaving(int lockId, long epoch, String why) implements Signal {}

  /** A term has ended: stop writing at once. */
  record TermEnded(int lockId, long epoch, String why) implements Signal {}

  /** Check again whether this host can take the recorder, and report the result. */
  record Recheck(int lockId, String why) implements Signal {}

  /** The last term here of a recorder that was removed from the configuration has ended. */
  record Removed(int lockId) implements Signal {}

  /** A standby's decision changed. */
  record StandingBy(int lockId, String why) implements Signal {}
}
