package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link ControlAction}. */
public sealed interface ControlAnswer {

  /** To Connect: a new session is registered. Locks of an earlier session are lost. */
  record Connected(int pid) implements ControlAnswer {}

  /** To Beat: committed, with exactly this session's row updated. */
  record Renewed() implements ControlAnswer {}

  /** To Watch. */
  record Seen(ClusterView view) implements ControlAnswer {}

  /** To Evict: the number of sessions that were told to end. */
  record Evicted(int sessions) implements ControlAnswer {}

  /** To Take: this host's term has begun. */
  record Taken(Term term, Receipt receipt) implements ControlAnswer {}

  /** To Take: the lock is held by another session. */
  record LockHeld() implements ControlAnswer {}

  /** To Take: the row has changed since it was judged. */
  record Moved() implements ControlAnswer {}

  /** To TakeSeveral: an answer to each, in order. */
  record TookSeveral(List<ControlAnswer> answers) implements ControlAnswer {
    public TookSeveral {
      answers = List.copyOf(answers);
    }
  }

  /** To Register: the host's row is written. */
  record Registered() implements ControlAnswer {}

  /** To Announce: written, or this host's term has ended. */
  record Announced() implements ControlAnswer {}

  /** To Accept: this host must carry out the order. */
  record Accepted() implements ControlAnswer {}

  /** To Accept: the order was withdrawn or has expired. */
  record Withdrawn() implements ControlAnswer {}

  /** To Release: the term is released, if there was one. */
  record Released() implements ControlAnswer {}

  /**
   * Refused for the moment, by a lock or statement time-out or a serialization failure. The session
   * is usable, except after Connect, which has closed it.
   */
  record Busy(String why) implements ControlAnswer {}

  /** To Connect: another process runs under this host's name. */
  record NameInUse(String why) implements ControlAnswer {}

  /** The session is lost or must be considered lost, with all its locks. */
  record SessionLost(String why) implements ControlAnswer {}

  /**
   * The record of a takeover, as in the table {@code takeovers}.
   *
   * @param gap from the later of the predecessor's last beat and last settle to the new epoch, on
   *     the database's clock; null if there was no predecessor
   */
  record Receipt(
      TakeoverReason reason,
      @Nullable String from,
      long fromEpoch,
      Duration silence,
      @Nullable Duration gap,
      String why) {}
}
