package dev.recorder.lock.election;

import dev.recorder.lock.Lease;
import java.util.concurrent.CompletionStage;

/**
 * The work of an elected worker. Called on one thread; no method may block. After an exception the
 * work ends, and the lock is requested again after the pause. A pending interrupt is cleared. An
 * {@link Error} ends the worker.
 */
public interface ElectedWork {
  /**
   * Starts the work; called once per lease.
   *
   * @param lease to check before each step that needs the lock; must not be closed by the work
   * @return completes when the work has ended, by itself or as requested; exceptionally if the work
   *     failed, in which case a lock that survives failures stays taken
   */
  CompletionStage<?> start(Lease lease);

  /** Requests the end of the work: finish the running step and start no more. */
  void stop();

  /** Requests an immediate end, since the lock is lost. */
  void halt();
}
