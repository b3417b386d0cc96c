package dev.recorder.leadership.postgres;

import java.time.Duration;

/**
 * Something that a machine states of itself, or of a recorder that it has: what is not as it should
 * be, and since when it is ready.
 *
 * @param recorder its name; empty if it concerns the machine as a whole
 * @param why one sentence, without a time in it: a change of it is news
 * @param lasts since when, counted back from the moment that it is told
 */
public record Condition(String recorder, About about, String why, Duration lasts) {
  /** Most conditions stated of a machine, the gravest first. */
  public static final int MOST = 200;

  /** The command, without the machine's name, that ends what an operator has drained. */
  public static final String UNDRAIN = "recorder undrain ";

  /** What it is about; the words are in the database. */
  public enum About {
    /** The machine must not run the recorder, until an operator has put something in order. */
    REFUSED,
    /** The machine could not take the recorder now. */
    UNABLE,
    /** The active machine makes no progress. */
    HELD_UP,
    /** Changes of tables that are captured for it are lost. */
    CAPTURE,
    /** The active machine must hand it over as soon as another can take it. */
    DRAINED,
    /** Recorded rows stay in the table. */
    CLEARING,
    /** The log's table in the bucket is behind the log. */
    TABLE,
    /** Old row versions are not removed. */
    XMIN,
    /** The machine's file says what takes effect after a restart. */
    RESTART,
    /** All is well: the machine stands by for the log, or works on the requests. */
    READY;

    /** Whether somebody should know of it. */
    public boolean isTrouble() {
      return this != READY;
    }
  }
}
