package dev.recorder.slotlog.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.memory.MemoryBudget;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory shares of one writer's contents, by slot. Thread-safe, since a term may end during a
 * read.
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

  /** Returns the share of this slot. A queued share keeps its place in the queue. */
  synchronized MemoryBudget.Share of(long slot) {
    if (closed) {
      MemoryBudget.Share none = budget.share();
      none.release();
      return none;
    }
    return shares.computeIfAbsent(slot, number -> budget.share());
  }

  /** Releases the shares of slots up to this one, with their places in the queue. */
  synchronized void releaseUpTo(long last) {
    shares.forEach(
        (slot, share) -> {
          if (slot <= last) {
            share.release();
          }
        });
    shares.keySet().removeIf(slot -> slot <= last);
  }

  /** Releases the share of this slot, with its place in the queue. */
  synchronized void release(long slot) {
    MemoryBudget.Share share = shares.remove(slot);
    if (share != null) {
      share.release();
    }
  }

  /** Frees the memory of all other slots. Their places in the queue are kept. */
  synchronized void shrinkAllBut(long kept) {
    shares.forEach(
        (slot, share) -> {
          if (slot != kept) {
            share.shrinkTo(0);
          }
        });
  }

  /** Releases all shares for good. Later shares cannot grow. */
  @Override
  public synchronized void close() {
    closed = true;
    shares.values().forEach(MemoryBudget.Share::release);
    shares.clear();
  }
}
