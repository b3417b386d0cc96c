package dev.recorder.reader;

import dev.recorder.reader.ReaderSettings.ReadAheadLimits;

/**
 * Decides which slots a reader requests in advance, so that it rarely waits for the store, and
 * holds no more than allowed.
 *
 * <ul>
 *   <li>A limited number of slots is requested or held in addition to the last returned one.
 *   <li>Their content is limited, on the assumption that no slot is larger than the largest so far:
 *       the size of a slot is known only when it has arrived. The next slot is requested whatever
 *       its size.
 *   <li>If the end of the log is unknown, each existing slot allows one more request; so at the end
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
   * @param last the last slot to request; all up to it exist; {@link Long#MAX_VALUE} if unknown
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
   * Whether one more slot may be requested.
   *
   * @param line requested and not returned yet
   * @param underWay those of them that have not arrived
   * @param bytes of those that have arrived
   */
  boolean mayAsk(int line, int underWay, long bytes) {
    if (next > last || line >= window) {
      return false;
    }
    boolean isKnown = largest > 0;
    return line == 0 || (isKnown && bytes + (underWay + 1) * largest <= most.bytes());
  }

  /** The next slot to request. */
  long ask() {
    return next++;
  }

  /** A slot of this size has arrived. */
  void arrived(long bytes) {
    largest = Math.max(largest, bytes);
    window = atEnd ? widest() : Math.min(most.slots(), window + 1);
    atEnd = false;
  }

  /** {@code slot} does not exist or could not be read: later requests are dropped. */
  void backTo(long slot) {
    next = slot;
    window = widest();
    atEnd = true;
  }
}
