package dev.recorder.app.guard;

/** Signals that ask a process to end, or its command. */
public enum UnixSignal {
  HUP(1),
  INT(2),
  TERM(15);

  /** What a shell adds to the number of the signal that ended a process. */
  private static final int ENDED_BY = 128;

  private static final int LAST = 64;

  private final int number;

  UnixSignal(int number) {
    this.number = number;
  }

  /** The exit code of a process that was ended by it. */
  public int exitCode() {
    return ENDED_BY + number;
  }

  /** An exit code in words; that of a process ended by a signal looks like the same number. */
  public static String inWords(int exitCode) {
    return "exit code "
        + exitCode
        + (exitCode > ENDED_BY && exitCode <= ENDED_BY + LAST
            ? ", as of death by signal " + (exitCode - ENDED_BY)
            : "");
  }
}
