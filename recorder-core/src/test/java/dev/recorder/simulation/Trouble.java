package dev.recorder.simulation;

/** What may befall one request. */
enum Trouble {
  /** The statement never arrives. */
  STATEMENT_LOST,
  /** The statement arrives when nobody waits for its answer any more. */
  STATEMENT_LATE,
  /** The statement is carried out, its answer is lost. */
  STATEMENT_ANSWER_LOST,
  /** The PUT arrives seconds after its sender has given up. */
  PUT_LATE,
  /** The PUT is a little late, and meanwhile its sender's term comes to an end. */
  PUT_ORPHANED,
  /** The PUT arrives twice, the second time at any later moment. */
  PUT_REPEATED,
  /** The PUT is carried out, and the sender hears of a server error. */
  PUT_DONE_BUT_FAILED,
  /** The PUT is refused: a conflict, or slow down. */
  PUT_REFUSED,
  /** The store's answer is lost. */
  STORE_ANSWER_LOST
}
