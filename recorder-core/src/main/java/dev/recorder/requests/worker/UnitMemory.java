package dev.recorder.requests.worker;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/**
 * The memory of one worker's unit, a share of the budget of all recorders of the process. A unit
 * with large payloads makes one reservation for all its needs. A unit that needs more than the
 * whole budget gets all of the budget, alone. Units never wait for each other in a circle.
 */
final class UnitMemory implements MemoryReservation, AutoCloseable {
  /**
   * The most bytes that a unit takes for each byte of a text: as read, as a string, as a tree, as
   * assembled and as sent, in part with two bytes for a character.
   */
  private static final int COPIES = 8;

  /** Payloads up to this size may be held while the unit waits for memory for a document. */
  private static final long MIDDLING = 1 << 20;

  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final long largestDocument;
  private final Duration limit;
  private final Ticker ticker;
  private long payloads = SMALL;
  private long taken;
  private long lacked;

  /**
   * Creates a unit's memory without a reservation.
   *
   * @param largestDocument largest document into which payloads may be merged, in bytes; 0 if there
   *     is none
   * @param limit longest wait
   */
  UnitMemory(MemoryBudget budget, long largestDocument, Duration limit, Ticker ticker) {
    this.budget = budget;
    this.share = budget.share();
    this.largestDocument = largestDocument;
    this.limit = limit;
    this.ticker = ticker;
  }

  @Override
  public boolean forPayloads(long bytes) throws InterruptedException {
    payloads = bytes;
    // Includes the document's memory, since two units with half of theirs would deadlock.
    return await(bytes > MIDDLING ? bytes + largestDocument : bytes);
  }

  @Override
  public boolean isThereForDocument(long bytes) {
    return bytes <= SMALL || take(payloads + bytes);
  }

  @Override
  public boolean forDocument(long bytes) throws InterruptedException {
    return bytes <= SMALL || await(payloads + bytes);
  }

  private boolean await(long bytes) throws InterruptedException {
    long since = ticker.nanos();
    while (!take(bytes)) {
      boolean inTheWay = !share.waitFor(need(bytes));
      if (inTheWay || ticker.nanos() - since > limit.toNanos()) {
        lacked = need(bytes);
        return false;
      }
      Pause.sleep(ASK_AGAIN);
    }
    return true;
  }

  /** The bytes for which the unit waited in vain; 0 if it got them. */
  long lacked() {
    return lacked;
  }

  /** The size of the budget, which all units of the process share with other rows. */
  long shared() {
    return budget.limit();
  }

  private long need(long bytes) {
    return Math.min(COPIES * bytes, budget.limit());
  }

  private boolean take(long bytes) {
    long need = need(bytes);
    if (need > taken && share.growTo(need)) {
      taken = need;
    }
    return need <= taken;
  }

  @Override
  public void close() {
    share.release();
  }
}
