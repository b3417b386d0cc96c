package dev.recorder.machine.poll;

/** The place where a log's writer waits for rows. */
public interface RowArrivals extends AutoCloseable {
  /** Notes that a read is about to be sent; called on the database's lane. */
  void reads();

  /**
   * Calls {@code told}, at most once and on another thread, when {@code rows} rows may have come,
   * waiting since {@code now}. Replaces an earlier wait.
   */
  void await(long rows, long now, Runnable told);

  /** Ends the writer's wait for rows, if there is one, since the writer has other work. */
  void endWait();

  @Override
  void close();
}
