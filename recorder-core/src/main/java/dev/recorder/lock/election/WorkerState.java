package dev.recorder.lock.election;

import java.util.Locale;

/**
 * Where a worker is in its life.
 *
 * <p>{@code stopping}: it has been told to stop, and will be {@link Idle} when this is over.
 */
public sealed interface WorkerState {
  /** Its name in logs, such as {@code waiting_to_acquire_lock}. */
  default String word() {
    String name = getClass().getSimpleName();
    return name.substring(0, 1).toLowerCase(Locale.ROOT)
        + name.substring(1).replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** Not taking part. */
  record Idle() implements WorkerState {}

  /** The lock has been asked for. */
  record AcquiringLock(boolean stopping) implements WorkerState {}

  /** Somebody else has the lock, or it could not be asked for. */
  record WaitingToAcquireLock() implements WorkerState {}

  /** The lock is held and the work goes on. */
  record Working() implements WorkerState {}

  /** The same, but a renewal has failed or is overdue: the lock still is ours for a while. */
  record RenewLock() implements WorkerState {}

  /** The lock is lost, and the work is being ended at once. */
  record PauseWork(boolean stopping) implements WorkerState {}

  /** The lock is still held, and the work is being ended gracefully. */
  record Cleanup(boolean stopping) implements WorkerState {}

  /** The work has ended, and the lock is being given back. */
  record ReleasingLock(boolean stopping) implements WorkerState {}
}
