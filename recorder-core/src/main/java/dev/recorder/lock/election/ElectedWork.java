package dev.recorder.lock.election;

import dev.recorder.lock.Lease;
import java.util.concurrent.CompletionStage;

/**
 * The work of an elected worker. Called on one thread; no method may block. After an exception the
 * work ends, and the lock is asked for again after the pause. A pending interrupt is cleared. An
 * {@link Error} ends the worker.
 */
public interface ElectedWork {
  /**
   * Starts the work; called once per lease.
   *
   * @param lease to check before each step that only its holder may do; must not be closed
   * @return completes when the work has ended by itself or as requested; exceptionally if it
   *     failed: a lock that survives failures then stays taken
   */
  CompletionStage<?> start(Lease lease);

  /** Finish running work and start no more. */
  void stop();

  /** The lock is lost: stop at once, whatever is running. */
  void halt();
}
