package dev.recorder.slotlog;

/**
 * How a writer ended.
 *
 * @param why one sentence for the log
 */
public record Ending(EndingKind kind, String why) {
  /** The kinds of ending. */
  public enum EndingKind {
    /** Asked to stop. The slot under way was settled first. */
    STOPPED,
    /** The database names another term. */
    STEPPED_DOWN,
    /** The store or the database is not the one that belongs to this log; an operator must look. */
    REFUSED,
    /** An unexpected failure: this term must end, and another term may succeed. */
    FAILED
  }
}
