package dev.recorder.audit.schedule;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Port: stores the verdicts of a log that its active machine gives on a schedule. For one thread.
 * What cannot be read or written is an exception of the adapter's.
 */
public interface VerdictStore {

  /**
   * How things stand now; when a verification begins, it is asked first, and the verdict then says
   * that it began at this moment.
   */
  Noted look();

  /**
   * Notes a verdict, if the term goes on in which it was found.
   *
   * @return whether it is noted
   */
  boolean note(AuditVerdict verdict);

  /** Notes why there is no verdict, in one sentence; those that were given stay. */
  void unfinished(String why);

  /**
   * What the last verdict has left.
   *
   * @param isDue whether it is time for the next
   * @param asked the order of who asked for one of the whole log since; 0 if nobody has
   * @param next the slot that the next begins with; 0 if there was none
   * @param log whose slots these are; null if there was none
   * @param rebasedSlot where the log had been rebased then; 0 if nowhere
   */
  record Noted(boolean isDue, long asked, long next, @Nullable UUID log, long rebasedSlot) {
    /** Nothing was verified yet. */
    public static final Noted NOTHING = new Noted(true, 0, 0, null, 0);
  }
}
