package dev.recorder.audit;

/** Who reads the hand-off while the verifier reads the log. */
@FunctionalInterface
public interface SecondReader {

  /** Nobody: it is read afterwards, on the verifier's thread. */
  SecondReader NOBODY = reading -> reading::run;

  /** Begins {@code reading}. */
  SideReading begin(Runnable reading);

  /** What was begun. */
  @FunctionalInterface
  interface SideReading {

    /** Throws what it failed with, if it has failed by now; what runs at its end alone has not. */
    default void check() {}

    /** Waits for its end, and throws what it failed with. */
    void end();
  }
}
