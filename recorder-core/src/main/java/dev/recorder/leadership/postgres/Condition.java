package dev.recorder.leadership.postgres;

import java.time.Duration;

/**
 * A condition of a host, or of one of its recorders, that the host reports: a fault, or that it is
 * ready.
 *
 * @param recorder the recorder's name; empty if the condition concerns the host as a whole
 * @param why one sentence, without a time, since a changed sentence counts as a new condition
 * @param lasts how long it has lasted when it is reported
 */
public record Condition(String recorder, About about, String why, Duration lasts) {
  /** The most conditions that a host reports. The gravest come first. */
  public static final int MOST = 200;

  /** The command, without the host's name, that ends a drain. */
  public static final String UNDRAIN = "recorder undrain ";

  /** The kinds of condition, whose names are in the database. */
  public enum About {
    /** The host must not run the recorder until an operator has removed the fault. */
    REFUSED,
    /** The host cannot take the recorder now. */
    UNABLE,
    /** The active host makes no progress. */
    HELD_UP,
    /** Changes of the recorder's captured tables are lost. */
    CAPTURE,
    /** The active host must hand the recorder over as soon as another host can take it. */
    DRAINED,
    /** Recorded rows stay in the table. */
    CLEARING,
    /** The log's table in the bucket is behind the log. */
    TABLE,
    /** Old row versions are not removed. */
    XMIN,
    /** The host's file has changes that take effect after a restart. */
    RESTART,
    /** No fault: the host is standby for the log, or processes the requests. */
    READY;

    /** Returns whether operators should see the condition. */
    public boolean isTrouble() {
      return this != READY;
    }
  }
}
