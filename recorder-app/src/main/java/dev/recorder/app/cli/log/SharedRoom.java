package dev.recorder.app.cli.log;

import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The room of one verification out of what all of a command share: an object waits until those that
 * others look at have left enough, however long that takes. One that is larger than all there is
 * gets all of it, alone. For one thread; to be closed by it.
 */
final class SharedRoom implements ReadingRoom, AutoCloseable {
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final BooleanSupplier rests;

  SharedRoom(MemoryBudget budget) {
    this(budget, SharedRoom::isRested);
  }

  /**
   * Nothing is taken yet.
   *
   * @param rests waits a little; false if nobody wants the room any more
   */
  SharedRoom(MemoryBudget budget, BooleanSupplier rests) {
    this.budget = budget;
    this.share = budget.share();
    this.rests = rests;
  }

  @Override
  public boolean of(long bytes) {
    long need = Math.min(bytes, budget.limit());
    if (share.growTo(need)) {
      share.shrinkTo(need);
      return true;
    }
    share.shrinkTo(0); // Two that kept what they have would wait for each other.
    while (!share.growTo(need)) {
      share.takeTurn(); // Else small objects of others could always go before.
      if (!rests.getAsBoolean()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long most() {
    return budget.limit();
  }

  private static boolean isRested() {
    try {
      Pause.sleep(ASK_AGAIN);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    share.release();
  }
}
