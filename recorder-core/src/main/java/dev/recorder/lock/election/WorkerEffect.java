package dev.recorder.lock.election;

/** An action of a worker; each is answered by an event. */
public enum WorkerEffect {
  /** Ask for the lock; answered by {@code ACQUIRED} or {@code NOT_ACQUIRED}. */
  ACQUIRE_LOCK,
  /** Wait before asking for the lock again; answered by {@code RETRY_DUE}. */
  SCHEDULE_RETRY,
  /** Start the work. Once per grant. */
  START_WORK,
  /** Finish running work; answered by {@code WORK_ENDED}. */
  STOP_WORK,
  /** Stop the work at once; answered by {@code WORK_ENDED}. */
  HALT_WORK,
  /** Release the lock; answered by {@code RELEASED}. */
  RELEASE_LOCK
}
