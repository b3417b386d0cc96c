package dev.recorder.leadership.postgres;

import java.time.Duration;

/**
 * Something that is not as it should be with a recorder on a machine, as that machine states it.
 *
 * @param recorder its name; empty if it concerns the machine as a whole
 * @param why one sentence, without a time in it: a change of it is news
 * @param lasts since when, counted back from the moment that it is told
 */
public record Condition(String recorder, About about, String why, Duration lasts) {

  /** What is not as it should be; the words are in the database. */
  public enum About {
    /** The machine must not run the recorder, until an operator has put something in order. */
    REFUSED,
    /** The machine could not take the recorder now. */
    UNABLE,
    /** The active machine does not get on. */
    HELD_UP,
    /** The active machine is to hand it over as soon as another is able to take it. */
    DRAINED,
    /** Recorded rows stay in the table. */
    CLEARING,
    /** Old row versions are not removed. */
    XMIN
  }
}
