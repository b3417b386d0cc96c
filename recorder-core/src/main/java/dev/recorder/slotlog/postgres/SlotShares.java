package dev.recorder.slotlog.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.memory.MemoryBudget;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shares of memory that the contents of one writer have, by slot. Thread-safe: a term ends
 * while it reads.
 */
final class SlotShares implements AutoCloseable {
  private final MemoryBudget budget;

  @GuardedBy("this")
  private final Map<Long, MemoryBudget.Share> shares = new TreeMap<>();

  @GuardedBy("this")
  private boolean closed;

  SlotShares(MemoryBudget budget) {
    this.budget = budget;
  }

  /** The share of this slot; one that has queued up keeps its turn. */
  synchronized MemoryBudget.Share of(long slot) {
    if (closed) {
      MemoryBudget.Share none = budget.share();
      none.release();
      return none;
    }
    return shares.computeIfAbsent(slot, number -> budget.share());
  }

  /** Gives back what is taken by slots up to this one, turns too. */
  synchronized void releaseUpTo(long last) {
    shares.forEach(
        (slot, share) -> {
          if (slot <= last) {
            share.release();
          }
        });
    shares.keySet().removeIf(slot -> slot <= last);
  }

  /** Gives back what this slot takes, its turn too. */
  synchronized void release(long slot) {
    MemoryBudget.Share share = shares.remove(slot);
    if (share != null) {
      share.release();
    }
  }

  /** Gives back what is taken, but by this slot; turns are kept. */
  synchronized void shrinkAllBut(long kept) {
    shares.forEach(
        (slot, share) -> {
          if (slot != kept) {
            share.shrinkTo(0);
          }
        });
  }

  /** Gives everything back; none grows any more. */
  @Override
  public synchronized void close() {
    closed = true;
    shares.values().forEach(MemoryBudget.Share::release);
    shares.clear();
  }
}
