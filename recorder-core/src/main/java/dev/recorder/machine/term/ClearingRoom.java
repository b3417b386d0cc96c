package dev.recorder.machine.term;

import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The room of one clearing, or verification, for the object that it reads, out of what all
 * recorders of the process share. It waits on the caller's thread, for {@value #PATIENCE_SECONDS} s
 * at most; after ten it takes a turn, which lasts for a few. An object that is larger than all
 * there is gets all of it, alone, if the heap has room for it. To be closed from any thread.
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
   * Nothing is taken yet.
   *
   * @param goesOn whether it is still worth waiting
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
    share.shrinkTo(0); // One that waits for more than is left gets its turn between two objects.
    long since = ticker.nanos();
    while (!share.growTo(need)) {
      Duration waited = Duration.ofNanos(ticker.nanos() - since);
      if (!goesOn.getAsBoolean() || waited.compareTo(PATIENCE) > 0 || !Pause.isRested(ASK_AGAIN)) {
        share.release(); // Its turn too.
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
