package dev.recorder.app.cli.log;

import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * One verification's share of the memory budget of a command. Reading an object waits without a
 * limit until other verifications leave enough memory. An object that exceeds the whole budget gets
 * all of the budget, alone. For one thread, which closes the share.
 */
final class MemoryShare implements ReadingRoom, AutoCloseable {
  private static final Duration ASK_AGAIN = Duration.ofMillis(50);

  private final MemoryBudget budget;
  private final MemoryBudget.Share share;
  private final BooleanSupplier rests;

  MemoryShare(MemoryBudget budget) {
    this(budget, () -> Pause.isRested(ASK_AGAIN));
  }

  /**
   * Creates a share.
   *
   * @param rests waits a little; returns false if the verification is no longer wanted
   */
  MemoryShare(MemoryBudget budget, BooleanSupplier rests) {
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
    share.shrinkTo(0); // Two verifications that kept their shares would wait for each other.
    while (!share.growTo(need)) {
      share.takeTurn(); // Otherwise small objects of others could always come first.
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

  @Override
  public void close() {
    share.release();
  }
}
