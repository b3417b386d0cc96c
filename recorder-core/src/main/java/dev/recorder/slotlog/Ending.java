package dev.recorder.slotlog;

/**
 * How a writer ended.
 *
 * @param why one sentence for the log
 */
public record Ending(EndingKind kind, String why) {
  /** The kinds of ending. */
  public enum EndingKind {
    /** Asked to stop; the slot in flight is settled. */
    STOPPED,
    /** The term in the database is no longer ours. */
    STEPPED_DOWN,
    /** The store or the database is not the one that belongs to this log; an operator must look. */
    REFUSED,
    /** Something failed that nobody foresaw: the term must not go on, another may succeed. */
    FAILED
  }
}
