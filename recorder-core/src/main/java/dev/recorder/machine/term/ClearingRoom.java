package dev.recorder.machine.term;

import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The memory in which one clearing or verification reads an object, a share of the budget of all
 * recorders of the process. A request waits on the caller's thread for {@value #PATIENCE_SECONDS} s
 * at most, and after ten seconds joins the budget's queue. An object larger than the budget gets
 * all of it, alone, if the heap has room for the object. {@link #close} is for any thread.
 */
final class ClearingRoom implements ReadingRoom, AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final Duration LETS_OTHERS_GO = Duration.ofSeconds(10);
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final MemoryBudget budget;
  private volatile MemoryBudget.Share share;
  private final BooleanSupplier goesOn;
  private final Ticker ticker;

  /**
   * Creates a room that has no memory yet.
   *
   * @param goesOn whether waiting still makes sense
   */
  ClearingRoom(MemoryBudget budget, BooleanSupplier goesOn, Ticker ticker) {
    this.budget = budget;
    this.share = budget.share();
    this.goesOn = goesOn;
    this.ticker = ticker;
  }

  @Override
  public boolean of(long bytes) {
    long need = Math.min(bytes, budget.limit());
    share.shrinkTo(0); // Gives larger requests their turn between two objects.
    long since = ticker.nanos();
    while (!share.growTo(need)) {
      Duration waited = Duration.ofNanos(ticker.nanos() - since);
      if (!goesOn.getAsBoolean() || waited.compareTo(PATIENCE) > 0 || !Pause.isRested(ASK_AGAIN)) {
        share.release(); // Also gives up the place in the queue.
        share = budget.share();
        return false;
      }
      if (waited.compareTo(LETS_OTHERS_GO) > 0) {
        share.queueUp();
      }
    }
    return true;
  }

  @Override
  public long most() {
    return MemoryBudget.mostAlone();
  }

  @Override
  public long limit() {
    return budget.limit();
  }

  @Override
  public void close() {
    share.release();
  }
}
