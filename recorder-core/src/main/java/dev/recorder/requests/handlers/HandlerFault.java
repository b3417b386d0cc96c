package dev.recorder.requests.handlers;

import java.util.Objects;

/**
 * Describes what a user's code has thrown. It is a user's object: even reading its message runs
 * their code, which may throw, too.
 */
final class HandlerFault {
  private static final int MOST_CAUSES = 100;

  private HandlerFault() {}

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

  /** The exception itself if a log can print it; else a description of it. */
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
