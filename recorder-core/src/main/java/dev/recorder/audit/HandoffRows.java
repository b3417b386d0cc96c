package dev.recorder.audit;

import dev.recorder.handoff.KeptRow;

/**
 * Port: the rows of the hand-off table as they are stored, not as an index or the writer's query
 * shows them. The adapter throws its own exceptions, which pass through the verifier.
 */
public interface HandoffRows {

  /**
   * Passes all committed rows to {@code sink}, in any order. Rows committed during the scan may be
   * left out. A further call passes the rows that are committed then.
   */
  void scan(RowSink sink);

  /** Receives the rows. */
  interface RowSink {

    /** Takes a row, whose bytes are valid only during the call. */
    void row(KeptRow row);

    /** Reports that {@code read} of {@code pages} pages are done. */
    void progress(long read, long pages);
  }
}
