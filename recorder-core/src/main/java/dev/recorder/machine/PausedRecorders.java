package dev.recorder.machine;

import java.util.Set;

/** Which recorders were paused when this machine last looked, by lockid. Thread-safe. */
final class PausedRecorders {
  private volatile Set<Integer> lockIds = Set.of();

  /** These and no others are paused from now on. */
  void are(Set<Integer> paused) {
    lockIds = Set.copyOf(paused);
  }

  boolean has(int lockId) {
    return lockIds.contains(lockId);
  }
}
