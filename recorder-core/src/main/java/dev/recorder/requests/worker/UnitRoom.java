package dev.recorder.requests.worker;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.Room;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/**
 * The room of one worker's unit, out of what all recorders of the process share. A unit asks once,
 * for all that it may come to need, so that no two of them wait for each other; one that needs more
 * than there is gets all of it, alone.
 */
final class UnitRoom implements Room, AutoCloseable {
  /** How often a text lies in memory at a time: as read, as a string, as a tree, as it is sent. */
  private static final int COPIES = 5;

  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final long largestDocument;
  private final Duration limit;
  private final Ticker ticker;
  private boolean taken;

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
    return await(bytes + largestDocument);
  }

  @Override
  public boolean isThereForDocument(long bytes) {
    return bytes <= SMALL || take(bytes + SMALL);
  }

  @Override
  public boolean forDocument(long bytes) throws InterruptedException {
    return bytes <= SMALL || await(bytes + SMALL);
  }

  private boolean await(long bytes) throws InterruptedException {
    long since = ticker.nanos();
    while (!take(bytes)) {
      share.queueUp();
      if (ticker.nanos() - since > limit.toNanos()) {
        return false;
      }
      Pause.sleep(ASK_AGAIN);
    }
    return true;
  }

  private boolean take(long bytes) {
    taken = taken || share.growTo(Math.min(COPIES * bytes, budget.limit()));
    return taken;
  }

  @Override
  public void close() {
    share.release();
  }
}
