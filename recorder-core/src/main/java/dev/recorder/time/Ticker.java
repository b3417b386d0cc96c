package dev.recorder.time;

/**
 * Monotonic time in nanoseconds from an arbitrary origin.
 *
 * <p>Only differences have a meaning: compare as {@code a - b < 0}, never {@code a < b}. On Linux
 * the system ticker also runs while the process is stopped, so a lease measured with it ends during
 * a SIGSTOP.
 */
@FunctionalInterface
public interface Ticker {
  long nanos();

  /** Returns the ticker of this JVM. Thread-safe. */
  static Ticker system() {
    return System::nanoTime;
  }
}
