package dev.recorder.audit;

/** Reads the hand-off table while the verifier reads the log. */
@FunctionalInterface
public interface SecondReader {

  /** Reads the table afterwards, on the verifier's thread. */
  SecondReader NOBODY = reading -> reading::run;

  /** Begins {@code reading}. */
  SideReading begin(Runnable reading);

  /** A reading that has begun. */
  @FunctionalInterface
  interface SideReading {

    /**
     * Throws the failure of the reading, if it has failed by now. A reading that runs only in
     * {@link #end} never has.
     */
    default void check() {}

    /** Waits for the end of the reading, and throws its failure. */
    void end();
  }
}
