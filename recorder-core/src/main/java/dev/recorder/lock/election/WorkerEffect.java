package dev.recorder.lock.election;

/** What to do for a worker; each is answered by an event. */
public enum WorkerEffect {
  /** Ask for the lock: {@code ACQUIRED} or {@code NOT_ACQUIRED}. */
  ACQUIRE_LOCK,
  /** Wait before the lock is asked for again: {@code RETRY_DUE}. */
  SCHEDULE_RETRY,
  /** Begin to work. Once per grant. */
  START_WORK,
  /** Finish what is under way: {@code WORK_ENDED}. */
  STOP_WORK,
  /** Begin nothing more, whatever is under way: {@code WORK_ENDED}. */
  HALT_WORK,
  /** Give the lock back: {@code RELEASED}. */
  RELEASE_LOCK
}
