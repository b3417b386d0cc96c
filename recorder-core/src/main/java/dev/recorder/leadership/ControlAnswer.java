package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a {@link ControlAction}. */
public sealed interface ControlAnswer {

  /** To Connect: a fresh session is registered; whatever an earlier one held is not ours. */
  record Connected(int pid) implements ControlAnswer {}

  /** To Beat: committed, and hit exactly this session's row. */
  record Renewed() implements ControlAnswer {}

  /** To Watch. */
  record Seen(ClusterView view) implements ControlAnswer {}

  /** To Evict: how many sessions were told to end. */
  record Evicted(int sessions) implements ControlAnswer {}

  /** To Take: the term is ours. */
  record Taken(Term term, Receipt receipt) implements ControlAnswer {}

  /** To Take: the lock is held by another session. */
  record LockHeld() implements ControlAnswer {}

  /** To Take: the row is no longer as judged. */
  record Moved() implements ControlAnswer {}

  /** To TakeSeveral: an answer to each, in order. */
  record TookSeveral(List<ControlAnswer> answers) implements ControlAnswer {
    public TookSeveral {
      answers = List.copyOf(answers);
    }
  }

  /** To Register: the machine's row says it. */
  record Registered() implements ControlAnswer {}

  /** To Announce: written, or the term is no longer ours. */
  record Announced() implements ControlAnswer {}

  /** To Accept: the order is this machine's to carry out. */
  record Accepted() implements ControlAnswer {}

  /** To Accept: there is no such order any more; it was withdrawn, or its time is over. */
  record Withdrawn() implements ControlAnswer {}

  /** To Release: done, as far as there was something to release. */
  record Released() implements ControlAnswer {}

  /**
   * Refused for the moment (lock or statement time-out, serialization): the session is fine. To
   * Connect: it was given up for it.
   */
  record Busy(String why) implements ControlAnswer {}

  /** To Connect: another process runs under this machine's name. */
  record NameInUse(String why) implements ControlAnswer {}

  /** The session is gone, or must be taken for gone: every lock on it counts as lost. */
  record SessionLost(String why) implements ControlAnswer {}

  /**
   * The record of a change, as in {@code takeovers}.
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
