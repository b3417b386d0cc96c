package dev.recorder.app.guard;

/** Signals that ask a process to end. */
public enum UnixSignal {
  HUP(1),
  INT(2),
  TERM(15);

  /** A shell's exit code for a killed process is this number plus the signal's number. */
  private static final int ENDED_BY = 128;

  private static final int LAST = 64;

  private final int number;

  UnixSignal(int number) {
    this.number = number;
  }

  /** Returns the exit code of a process that the signal has ended. */
  public int exitCode() {
    return ENDED_BY + number;
  }

  /** Returns an exit code in words. A code above 128 may mean death by a signal. */
  public static String inWords(int exitCode) {
    return "exit code "
        + exitCode
        + (exitCode > ENDED_BY && exitCode <= ENDED_BY + LAST
            ? ", as of death by signal " + (exitCode - ENDED_BY)
            : "");
  }
}
