package dev.recorder.backend;

import java.util.concurrent.Semaphore;

/**
 * Sees to it that a machine works on one request at a time that is under suspicion of killing
 * workers: if the machine dies again, it was that one. Thread-safe; for all recorders of a machine.
 */
final class Suspects {
  private final Semaphore one = new Semaphore(1);

  boolean tryAcquire() {
    return one.tryAcquire();
  }

  void release() {
    one.release();
  }
}
