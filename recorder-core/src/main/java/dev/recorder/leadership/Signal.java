package dev.recorder.leadership;

import dev.recorder.handoff.Term;

/** What a {@link Coordinator} tells the machine it decides for. */
public sealed interface Signal {

  /** The control session is up and this machine is registered. */
  record Up(int pid) implements Signal {}

  /** The control session is lost; a {@link TermEnded} follows for each term. */
  record Down(String why) implements Signal {}

  /** Not connected: another process runs under this machine's name. Asked again, with backoff. */
  record NameTaken(String why) implements Signal {}

  /** Not connected, and still trying. */
  record Unreachable(String why) implements Signal {}

  /** Somebody is in the way of this machine's statements, again and again. */
  record Blocked(String why) implements Signal {}

  /** This machine is active for a recorder: begin to write. */
  record TermBegun(Term term, ControlAnswer.Receipt receipt) implements Signal {}

  /**
   * Leave a term: settle what is under way, begin nothing more, and tell {@link
   * Coordinator#release}. If that takes too long, {@link TermEnded} comes first.
   */
  record Leaving(int lockId, long epoch, String why) implements Signal {}

  /** A term is over: stop writing at once. */
  record TermEnded(int lockId, long epoch, String why) implements Signal {}

  /** Find out again whether this machine is able to take the recorder, and tell. */
  record Recheck(int lockId, String why) implements Signal {}

  /** A recorder that was removed from the configuration is let go of. */
  record Removed(int lockId) implements Signal {}

  /** A standby's decision changed. */
  record StandingBy(int lockId, String why) implements Signal {}
}
