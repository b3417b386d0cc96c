package dev.recorder.lock.election;

import dev.recorder.lock.Lease;
import java.util.concurrent.CompletionStage;

/**
 * What an elected worker does. Called on one thread, in turn; none of the methods may block. What
 * one of them throws ends the work, and the lock is asked for again after the pause; an interrupt
 * that it leaves is dropped. An {@link Error} ends the worker.
 */
public interface ElectedWork {
  /**
   * Begins to work; called once per lease.
   *
   * @param lease to be asked before each step that must not be another's; not to be closed
   * @return completes when the work has ended by itself, or as asked below; exceptionally if it
   *     failed: a lock that outlives failures then stays taken
   */
  CompletionStage<?> start(Lease lease);

  /** Finish what is under way, and begin nothing more. */
  void stop();

  /** The lock is lost: do nothing more, whatever is under way. */
  void halt();
}
