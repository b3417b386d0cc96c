package dev.recorder.app.harness;

import java.util.concurrent.Semaphore;

/**
 * Keeps tests that give the product little time apart from one that loads the machine and may run
 * beside all others. Thread-safe.
 */
public final class Quiet {
  private static final int ALL = 1_000;
  private static final Semaphore SEATS = new Semaphore(ALL, true);

  private Quiet() {}

  /** For a test that needs it: waits while {@link #breakIt} is in force. */
  public static void enter() throws InterruptedException {
    SEATS.acquire();
  }

  /** To be called once for each {@link #enter}, by any thread. */
  public static void leave() {
    SEATS.release();
  }

  /** For a test that loads the machine: waits until nobody needs quiet. */
  public static void breakIt() throws InterruptedException {
    SEATS.acquire(ALL);
  }

  /** To be called once for each {@link #breakIt}, by any thread. */
  public static void restore() {
    SEATS.release(ALL);
  }
}
