package dev.recorder.requests.handlers;

import java.util.Objects;

/**
 * What a user's code has thrown, which is a user's object: even to ask for its message runs code of
 * theirs, which may throw in its turn.
 */
final class UsersFault {
  private static final int MOST_CAUSES = 100;

  private UsersFault() {}

  /** Its class and message. */
  static String words(Throwable fault) {
    try {
      return String.valueOf(fault);
    } catch (Throwable another) {
      return fault.getClass().getName() + ", whose message cannot be read";
    }
  }

  /** Its class, and where it was thrown. */
  static String kind(Throwable fault) {
    try {
      StackTraceElement[] trace = fault.getStackTrace();
      return fault.getClass().getName() + (trace.length == 0 ? "" : " " + trace[0]);
    } catch (Throwable another) {
      return fault.getClass().getName();
    }
  }

  /** Itself, if all that a log asks it for can be had; else what can be said of it. */
  static Throwable forTheLog(Throwable fault) {
    try {
      ask(fault, MOST_CAUSES);
      return fault;
    } catch (Throwable another) {
      return new IllegalStateException(words(fault));
    }
  }

  private static void ask(Throwable fault, int most) {
    if (most == 0) {
      throw new IllegalArgumentException("a cause of its own, or nearly");
    }
    Objects.requireNonNull(String.valueOf(fault.getMessage()));
    for (StackTraceElement element : fault.getStackTrace()) {
      Objects.requireNonNull(element);
    }
    for (Throwable suppressed : fault.getSuppressed()) {
      ask(suppressed, most - 1);
    }
    Throwable cause = fault.getCause();
    if (cause != null) {
      ask(cause, most - 1);
    }
  }
}
