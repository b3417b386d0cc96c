package dev.recorder.time;

/**
 * Monotonic time in nanoseconds from an arbitrary origin.
 *
 * <p>Only differences mean anything; compare as {@code a - b < 0}, never {@code a < b}. On Linux
 * the system ticker goes on while the process is stopped, which is what makes a lease measured with
 * it end during a SIGSTOP.
 */
@FunctionalInterface
public interface Ticker {
  long nanos();

  /** The ticker of this JVM. Safe for use by any thread. */
  static Ticker system() {
    return System::nanoTime;
  }
}
