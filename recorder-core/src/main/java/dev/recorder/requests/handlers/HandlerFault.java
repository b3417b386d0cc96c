package dev.recorder.requests.handlers;

import java.util.Objects;

/**
 * Describes an exception of a user's code. Even reading its message runs the user's code, which may
 * throw, too.
 */
final class HandlerFault {
  private static final int MOST_CAUSES = 100;

  private HandlerFault() {}

  /** Returns the exception's class and message. */
  static String words(Throwable fault) {
    try {
      return String.valueOf(fault);
    } catch (Throwable another) {
      return fault.getClass().getName() + ", whose message cannot be read";
    }
  }

  /** Returns the exception's class, and where it was thrown. */
  static String kind(Throwable fault) {
    try {
      StackTraceElement[] trace = fault.getStackTrace();
      return fault.getClass().getName() + (trace.length == 0 ? "" : " " + trace[0]);
    } catch (Throwable another) {
      return fault.getClass().getName();
    }
  }

  /** Returns the exception itself if a log can print it, else a description. */
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
