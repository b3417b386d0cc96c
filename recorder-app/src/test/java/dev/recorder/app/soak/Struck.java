package dev.recorder.app.soak;

/**
 * A fault in force.
 *
 * @param whom it befell, for people
 */
record Struck(String whom, Heal heal) {

  /** Ends a fault; runs on any thread, once. */
  interface Heal {
    void run() throws InterruptedException;
  }
}
