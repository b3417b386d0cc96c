package dev.recorder.reader;

import dev.recorder.reader.ReaderSettings.Ahead;

/**
 * Decides which slots a reader asks for before they are wanted, so that it seldom waits for the
 * store, and holds no more than it was allowed to.
 *
 * <ul>
 *   <li>At most so many slots are asked for, or held, beyond the one that was given out last.
 *   <li>Their content takes at most so many bytes, if slots are no larger than the largest so far:
 *       how large one is shows only when it is there. The next slot is asked for whatever its size.
 *   <li>Where nobody knows if there are more slots, each that is there lets one more be asked for;
 *       at the end of a log it is one, and not the whole number each time.
 * </ul>
 *
 * <p>Pure. For one thread.
 */
final class Lookahead {
  private final Ahead most;
  private final long last;
  private long next;
  private int window;
  private long largest;
  private boolean atEnd;

  /**
   * @param first the slot that is asked for first
   * @param last none behind it is asked for, and all up to it are there; {@link Long#MAX_VALUE} if
   *     nobody knows how many there are
   */
  Lookahead(Ahead most, long first, long last) {
    this.most = most;
    this.last = last;
    this.next = first;
    this.window = widest();
  }

  private int widest() {
    return last == Long.MAX_VALUE ? 1 : most.slots();
  }

  /**
   * Whether one more may be asked for.
   *
   * @param line asked for and not given out yet
   * @param underWay those of them that are not there yet
   * @param bytes of those that are
   */
  boolean mayAsk(int line, int underWay, long bytes) {
    if (next > last || line >= window) {
      return false;
    }
    boolean isKnown = largest > 0;
    return line == 0 || (isKnown && bytes + (underWay + 1) * largest <= most.bytes());
  }

  /** The slot to ask for now. */
  long ask() {
    return next++;
  }

  /** One was there, so large. */
  void arrived(long bytes) {
    largest = Math.max(largest, bytes);
    window = atEnd ? widest() : Math.min(most.slots(), window + 1);
    atEnd = false;
  }

  /** {@code slot} was not there, or could not be read: what was asked for behind it is dropped. */
  void backTo(long slot) {
    next = slot;
    window = widest();
    atEnd = true;
  }
}
