package dev.recorder.election;

/**
 * Where a worker is in its life.
 *
 * <p>{@code stopping}: it has been told to stop, and will be {@link Idle} when this is over.
 */
public sealed interface WorkerState {
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

  /** The lock is still held, and the work is being ended in good order. */
  record Cleanup(boolean stopping) implements WorkerState {}

  /** The work has ended, and the lock is being given back. */
  record ReleasingLock(boolean stopping) implements WorkerState {}
}
