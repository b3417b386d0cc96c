package dev.recorder.reader;

import dev.recorder.reader.ReaderSettings.ReadAheadLimits;

/**
 * Decides which slots a reader requests in advance, so that it rarely waits for the store and keeps
 * to its limits.
 *
 * <ul>
 *   <li>A limited number of slots is requested or held in addition to the last returned one.
 *   <li>The bytes of these slots are limited. The size of a slot is known only when it has arrived,
 *       so each one counts as the largest size so far. The next slot is requested whatever its
 *       size.
 *   <li>If the end of the log is unknown, each existing slot allows one more request. At the end
 *       only one slot is requested at a time.
 * </ul>
 *
 * <p>Pure. For one thread.
 */
final class ReadAhead {
  private final ReadAheadLimits most;
  private final long last;
  private long next;
  private int window;
  private long largest;
  private boolean atEnd;

  /**
   * @param first the first slot to request
   * @param last the last slot to request, up to which all slots exist; {@link Long#MAX_VALUE} if
   *     unknown
   */
  ReadAhead(ReadAheadLimits most, long first, long last) {
    this.most = most;
    this.last = last;
    this.next = first;
    this.window = widest();
  }

  private int widest() {
    return last == Long.MAX_VALUE ? 1 : most.slots();
  }

  /**
   * Returns whether one more slot may be requested.
   *
   * @param line number of slots requested and not returned yet
   * @param underWay number of these slots that have not arrived
   * @param bytes bytes of these slots that have arrived
   */
  boolean mayAsk(int line, int underWay, long bytes) {
    if (next > last || line >= window) {
      return false;
    }
    boolean isKnown = largest > 0;
    return line == 0 || (isKnown && bytes + (underWay + 1) * largest <= most.bytes());
  }

  /** Returns the next slot to request, and counts it as requested. */
  long ask() {
    return next++;
  }

  /** Notes that a slot of this size has arrived. */
  void arrived(long bytes) {
    largest = Math.max(largest, bytes);
    window = atEnd ? widest() : Math.min(most.slots(), window + 1);
    atEnd = false;
  }

  /**
   * Notes that {@code slot} does not exist or could not be read. It is the next slot to request
   * again.
   */
  void backTo(long slot) {
    next = slot;
    window = widest();
    atEnd = true;
  }
}
