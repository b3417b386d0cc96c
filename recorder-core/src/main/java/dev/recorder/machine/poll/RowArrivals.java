package dev.recorder.machine.poll;

/** Where the writer waits for rows. */
public interface RowArrivals extends AutoCloseable {
  /** A read is about to be sent; on the database's lane. */
  void reads();

  /**
   * Calls {@code told} when so many rows may have come since {@code now}, once or not at all, on a
   * thread of its own; no longer for the waits before.
   */
  void await(long rows, long now, Runnable told);

  /** The writer has something to do, and waits for no rows any more, if it did. */
  void endWait();

  @Override
  void close();
}
