package dev.recorder.lock.election;

import java.util.Locale;

/**
 * The state of a worker.
 *
 * <p>{@code stopping}: the worker was told to stop, and is {@link Idle} when this state ends.
 */
public sealed interface WorkerState {
  /** The state's name in logs, such as {@code waiting_to_acquire_lock}. */
  default String word() {
    String name = getClass().getSimpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT)
        + name.substring(1).replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** The worker does not take part. */
  record Idle() implements WorkerState {}

  /** The lock is requested. */
  record AcquiringLock(boolean stopping) implements WorkerState {}

  /** Another worker has the lock, or the lock service failed. */
  record WaitingToAcquireLock() implements WorkerState {}

  /** The lock is held and the work runs. */
  record Working() implements WorkerState {}

  /**
   * As {@link Working}, but a renewal has failed or is overdue; the lock is still held for a while.
   */
  record RenewLock() implements WorkerState {}

  /** The lock is lost, and the work is being ended at once. */
  record PauseWork(boolean stopping) implements WorkerState {}

  /** The lock is still held, and the work is being ended gracefully. */
  record Cleanup(boolean stopping) implements WorkerState {}

  /** The work has ended, and the lock is being released. */
  record ReleasingLock(boolean stopping) implements WorkerState {}
}
