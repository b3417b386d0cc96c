package dev.recorder.machine.shared;

import java.util.Set;

/** The recorders that were paused when this host last looked, by lockid. Thread-safe. */
public final class PausedRecorders {
  private volatile Set<Integer> lockIds = Set.of();

  /** Replaces the set of paused recorders. */
  public void are(Set<Integer> paused) {
    lockIds = Set.copyOf(paused);
  }

  public boolean has(int lockId) {
    return lockIds.contains(lockId);
  }
}
