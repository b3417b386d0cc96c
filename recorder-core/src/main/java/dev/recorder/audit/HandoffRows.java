package dev.recorder.audit;

import dev.recorder.handoff.KeptRow;

/**
 * Port: the rows of the hand-off as they are stored, not as an index or the writer's query shows
 * them. What cannot be read is an exception of the adapter's, which passes through the verifier.
 */
public interface HandoffRows {

  /**
   * Hands over all committed rows, in any order. A row that comes meanwhile may be left out. May be
   * called again: what is committed then is handed over.
   */
  void scan(RowSink sink);

  /** Where the rows go. */
  interface RowSink {

    /** Takes a row; its bytes are the sink's only during the call. */
    void row(KeptRow row);

    /** Of {@code pages} pages {@code read} are behind us. */
    void progress(long read, long pages);
  }
}
