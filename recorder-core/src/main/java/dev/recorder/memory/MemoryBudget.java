package dev.recorder.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes of all rows that a process reads, packs, merges and sends at a time.
 * Thread-safe.
 *
 * <p>A share grows while its slot is being built. When there is no room, a slot with rows counts as
 * full and is sent, and a slot without rows waits. No call blocks. The holder of a slot's share can
 * always finish the slot without more memory, and then releases the share. A holder that needs more
 * memory to continue may {@link Share#waitFor wait}, as long as the waiting shares leave enough
 * room for the first of them. The first is served once all other holders have finished.
 *
 * <p>Small slots in turn could starve a large row. So a share without room for its first row queues
 * up. No other share grows until the queued share has asked again, for at most {@link #NEXT_FOR}.
 */
public final class MemoryBudget {
  /** The part of the heap for rows. The rest is for all other objects. */
  private static final double PART_OF_HEAP = 0.4;

  private static final double PART_ALONE = 0.6;

  /** Some collectors keep part of {@code -Xmx} free and do not report it. */
  private static final double USABLE_PART = 0.95;

  /** Shares grow in steps of this size, to avoid a request for each row. */
  static final long STEP = 256 << 10;

  private static final Duration NEXT_FOR = Duration.ofSeconds(5);

  private final long limit;
  private final Ticker ticker;

  @GuardedBy("this")
  private long taken;

  @GuardedBy("this")
  private @Nullable Share next;

  @GuardedBy("this")
  private long nextUntil;

  /** Shares that hold memory and wait for more, in order of arrival. */
  @GuardedBy("this")
  private final Set<Share> waiting = new LinkedHashSet<>();

  public MemoryBudget(long limit, Ticker ticker) {
    this.limit = limit;
    this.ticker = ticker;
  }

  /** Returns a budget of two fifths of this JVM's maximum heap. */
  public static MemoryBudget ofHeap() {
    long heap = Runtime.getRuntime().maxMemory();
    return new MemoryBudget((long) (heap * PART_OF_HEAP), Ticker.system());
  }

  /**
   * Returns the most bytes that may be allocated at once, partly outside of any budget: three
   * fifths of the heap. No other allocation of that size may exist at the same time.
   */
  public static long mostAlone() {
    return (long) (Runtime.getRuntime().maxMemory() * PART_ALONE);
  }

  public static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE, Ticker.system());
  }

  public long limit() {
    return limit;
  }

  /**
   * Returns the most bytes that a slot of one row takes: the row as read, and as packed, which may
   * not make it smaller.
   */
  public static long needOf(long rowBytes) {
    return 2 * rowBytes + 2 * STEP;
  }

  /**
   * Returns whether a slot of one row, with so many bytes of key and payload, fits into an
   * otherwise unused budget.
   */
  public boolean fits(long rowBytes) {
    return alone(rowBytes) <= limit;
  }

  /** Returns why rows of so many bytes must not be accepted, and the remedy; empty if they fit. */
  public String refusal(long maxPayload) {
    return fits(maxPayload) ? "" : "max_payload: " + misfit(maxPayload) + ", or lower max_payload";
  }

  /** Returns why a row does not fit in a process with a budget {@link #ofHeap}, and the remedy. */
  public String misfit(long rowBytes) {
    return String.format(
        Locale.ROOT,
        "a row of %d bytes does not fit the memory of this process for rows, %d MiB; start every"
            + " host with a heap of %d MiB or more, such as JAVA_OPTS=-Xmx%dm",
        rowBytes,
        limit >> 20,
        heapFor(rowBytes),
        heapFor(rowBytes));
  }

  private static long heapFor(long rowBytes) {
    return (long) (alone(rowBytes) / PART_OF_HEAP / USABLE_PART / (1 << 20)) + 1;
  }

  /** Returns the memory for a slot of one row, with the first step of the packed form. */
  private static long alone(long rowBytes) {
    return needOf(rowBytes) + STEP;
  }

  public Share share() {
    return new Share();
  }

  private synchronized boolean grow(Share share, long to) {
    if (to <= share.size) {
      return true;
    }
    if (share.released || isBehindAnother(share) || to > limit - taken + share.size) {
      return false;
    }
    next = null;
    waiting.remove(share);
    long stepped = Math.min((to + STEP - 1) / STEP * STEP, limit - taken + share.size);
    taken += stepped - share.size;
    share.size = stepped;
    return true;
  }

  @GuardedBy("this")
  private boolean isBehindAnother(Share share) {
    return next != null && next != share && ticker.nanos() - nextUntil < 0;
  }

  private synchronized void queue(Share share) {
    // A turn that has expired is renewed only after another share's turn.
    if (next != share && !isBehindAnother(share)) {
      next = share;
      nextUntil = ticker.nanos() + NEXT_FOR.toNanos();
    }
  }

  private synchronized boolean mayWait(Share share, long to) {
    queue(share);
    if (share.size == 0) {
      return true; // It holds no memory that others need.
    }
    share.wanted = Math.min(to, limit);
    waiting.add(share);
    Share first = waiting.iterator().next();
    long others = waiting.stream().filter(each -> each != first).mapToLong(each -> each.size).sum();
    if (share == first || first.wanted <= limit - others) {
      return true;
    }
    waiting.remove(share);
    return false;
  }

  private synchronized void shrink(Share share, long to) {
    long size = Math.min(share.size, to);
    taken -= share.size - size;
    share.size = size;
  }

  private synchronized void leave(Share share) {
    shrink(share, 0);
    waiting.remove(share);
    share.released = true;
    if (next == share) {
      next = null;
    }
  }

  synchronized long taken() {
    return taken;
  }

  /** The memory of one slot's content. As thread-safe as the budget. */
  public final class Share {
    // Guarded by the budget.
    private long size;
    private long wanted;
    private boolean released;

    private Share() {}

    /**
     * Grows to so many bytes in all. Returns false, without growing, if there is no room for them
     * now.
     */
    public boolean growTo(long bytes) {
      return grow(this, bytes);
    }

    /**
     * Reserves the next turn to grow, for at most {@link #NEXT_FOR}, unless another share has it.
     * Keeps its memory.
     */
    public void takeTurn() {
      queue(this);
    }

    /**
     * As {@link #takeTurn}, for a holder that waits until it has so many bytes in all. Call it
     * before each attempt.
     *
     * @return false if this share blocks one that has waited longer: the holder must then give back
     *     its memory, or both could wait for each other
     */
    public boolean waitFor(long bytes) {
      return mayWait(this, bytes);
    }

    /**
     * Gives back all memory, and reserves the next turn to grow, for at most {@link #NEXT_FOR},
     * unless another share has it.
     */
    public void queueUp() {
      shrink(this, 0);
      queue(this);
    }

    /** Gives back the memory above {@code bytes}. */
    public void shrinkTo(long bytes) {
      shrink(this, bytes);
    }

    /** Gives back all memory and the turn. The share never grows again. */
    public void release() {
      leave(this);
    }
  }
}
