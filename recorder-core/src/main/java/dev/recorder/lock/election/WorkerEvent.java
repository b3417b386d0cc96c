package dev.recorder.lock.election;

/** An event of a worker. */
public enum WorkerEvent {
  /** Join the election. */
  START,
  /** Leave the election. */
  STOP,
  /** Give others a turn, and stay in the election. */
  YIELD,
  ACQUIRED,
  /** The lock was not available, or could not be requested. */
  NOT_ACQUIRED,
  /** The pause after {@code NOT_ACQUIRED} is over. */
  RETRY_DUE,
  /** A renewal failed or is overdue. */
  DOUBTED,
  /** The lock was confirmed after a doubt. */
  RENEWED,
  /** The lock is lost. */
  LOST,
  /** The work has ended, by itself or as requested. */
  WORK_ENDED,
  RELEASED
}
