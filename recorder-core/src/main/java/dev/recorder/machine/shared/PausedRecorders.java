package dev.recorder.machine.shared;

import java.util.Set;

/** Which recorders were paused when this machine last looked, by lockid. Thread-safe. */
public final class PausedRecorders {
  private volatile Set<Integer> lockIds = Set.of();

  /** These and no others are paused from now on. */
  public void are(Set<Integer> paused) {
    lockIds = Set.copyOf(paused);
  }

  public boolean has(int lockId) {
    return lockIds.contains(lockId);
  }
}
