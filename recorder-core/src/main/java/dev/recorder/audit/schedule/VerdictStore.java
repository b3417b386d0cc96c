package dev.recorder.audit.schedule;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Port: stores the verdicts of the active host's scheduled verifications of a log. For one thread.
 * The adapter throws its own exceptions.
 */
public interface VerdictStore {

  /**
   * Returns the present state. A verification calls this first, and this moment becomes the
   * verdict's beginning.
   */
  Noted look();

  /**
   * Stores a verdict, if its term still lasts.
   *
   * @return whether it was stored
   */
  boolean note(AuditVerdict verdict);

  /** Stores why there is no verdict, in one sentence; earlier verdicts stay. */
  void unfinished(String why);

  /**
   * The state after the last verdict.
   *
   * @param isDue whether the next verification is due
   * @param asked the id of an order to verify the whole log; 0 if there is none
   * @param next the first slot of the next verification; 0 if there was no verdict
   * @param log the log of these slots; null if there was no verdict
   * @param rebasedSlot the log's last rebased slot at that time; 0 if there was none
   */
  record Noted(boolean isDue, long asked, long next, @Nullable UUID log, long rebasedSlot) {
    /** The state before the first verdict. */
    public static final Noted NOTHING = new Noted(true, 0, 0, null, 0);
  }
}
