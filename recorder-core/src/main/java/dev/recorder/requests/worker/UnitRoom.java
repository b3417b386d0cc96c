package dev.recorder.requests.worker;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.Room;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/**
 * The room of one worker's unit, out of what all recorders of the process share. A unit with large
 * payloads asks once, for all that it may come to need; one that needs more than there is gets all
 * of it, alone. No two units wait for each other.
 */
final class UnitRoom implements Room, AutoCloseable {
  /**
   * How many bytes a unit takes at most for each of a text: as it is read, as a string, as a tree,
   * as it is put together and as it is sent, some of it with two bytes for a character.
   */
  private static final int COPIES = 8;

  /** Payloads up to this size may be held while a document is waited for. */
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
   * Nothing is taken yet.
   *
   * @param largestDocument what payloads may be merged into, in bytes; 0 if into nothing
   * @param limit how long to wait
   */
  UnitRoom(MemoryBudget budget, long largestDocument, Duration limit, Ticker ticker) {
    this.budget = budget;
    this.share = budget.share();
    this.largestDocument = largestDocument;
    this.limit = limit;
    this.ticker = ticker;
  }

  @Override
  public boolean forPayloads(long bytes) throws InterruptedException {
    payloads = bytes;
    // Room for its document is requested with it: two units with half each would deadlock.
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

  /** How many bytes in all it has waited for without success; 0 if it has had what it asked for. */
  long lacked() {
    return lacked;
  }

  /** What all units of the process share, and other rows. */
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
