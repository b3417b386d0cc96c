package dev.recorder.lock.election;

/** What can happen to a worker. */
public enum WorkerEvent {
  /** Join the election. */
  START,
  /** Leave the election. */
  STOP,
  /** Let others have a turn, and stay in the election. */
  YIELD,
  /** The lock was granted. */
  ACQUIRED,
  /** The lock was not available, or could not be asked for. */
  NOT_ACQUIRED,
  /** The pause after that is over. */
  RETRY_DUE,
  /** A renewal failed or is overdue. */
  DOUBTED,
  /** The lock was confirmed after that. */
  RENEWED,
  /** The lock is gone. */
  LOST,
  /** The work has ended: because it was told to, or by itself. */
  WORK_ENDED,
  /** The lock has been given back. */
  RELEASED
}
