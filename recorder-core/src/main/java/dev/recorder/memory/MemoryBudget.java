package dev.recorder.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes the rows may take together that a process reads, packs, merges and sends.
 * Thread-safe.
 *
 * <p>A share grows while its slot is being built. When there is no room, a slot that has rows is
 * full, however few they are, and is sent; one that has none yet waits. Nobody ever waits inside:
 * whoever holds a share of a slot can finish it without more, and gives it back. A holder that
 * cannot go on without more may {@link Share#waitFor wait} while those who do leave room enough for
 * the first of them; it is served once all who run have ended.
 *
 * <p>A large row could wait forever while small slots take turns. So whoever finds no room for its
 * first row queues up: until it has asked again nobody else's share grows, for a few seconds at
 * most.
 */
public final class MemoryBudget {
  /** The part of the heap that is meant for rows: there must be room for all else, too. */
  private static final double PART_OF_HEAP = 0.4;

  private static final double PART_ALONE = 0.6;

  /** Of what {@code -Xmx} says some collectors keep a part free, and do not count it. */
  private static final double USABLE_PART = 0.95;

  /** What a share takes at once, to avoid a request per row. */
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

  /** Those that have something and wait for more, the longest first. */
  @GuardedBy("this")
  private final Set<Share> waiting = new LinkedHashSet<>();

  /** A budget of {@code limit} bytes. */
  public MemoryBudget(long limit, Ticker ticker) {
    this.limit = limit;
    this.ticker = ticker;
  }

  /** Two fifths of the heap that this JVM may have. */
  public static MemoryBudget ofHeap() {
    long heap = Runtime.getRuntime().maxMemory();
    return new MemoryBudget((long) (heap * PART_OF_HEAP), Ticker.system());
  }

  /**
   * What may be taken at once, of which part is not of any budget, when nothing else of that size
   * is there: three fifths of the heap.
   */
  public static long mostAlone() {
    return (long) (Runtime.getRuntime().maxMemory() * PART_ALONE);
  }

  /** No limit. */
  public static MemoryBudget unlimited() {
    return new MemoryBudget(Long.MAX_VALUE, Ticker.system());
  }

  /** All there is. */
  public long limit() {
    return limit;
  }

  /**
   * What a slot of one row takes at most: the row as it was read, and packed, which may not make it
   * smaller.
   */
  public static long needOf(long rowBytes) {
    return 2 * rowBytes + 2 * STEP;
  }

  /** Whether a slot of one row with so many bytes of key and payload has room, alone. */
  public boolean fits(long rowBytes) {
    return alone(rowBytes) <= limit;
  }

  /** Why rows of so many bytes are not to be let in, and the remedy; empty if they have room. */
  public String refusal(long maxPayload) {
    return fits(maxPayload) ? "" : "max_payload: " + misfit(maxPayload) + ", or lower max_payload";
  }

  /** Why it has not, in a process with a budget {@link #ofHeap}, and the remedy. */
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

  /** With what the packed form begins with. */
  private static long alone(long rowBytes) {
    return needOf(rowBytes) + STEP;
  }

  /** A share of nothing yet. */
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
    // A turn that has run out comes again only behind somebody else's.
    if (next != share && !isBehindAnother(share)) {
      next = share;
      nextUntil = ticker.nanos() + NEXT_FOR.toNanos();
    }
  }

  private synchronized boolean mayWait(Share share, long to) {
    queue(share);
    if (share.size == 0) {
      return true; // It blocks nobody.
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

  /** What one slot's content takes. As thread-safe as the budget. */
  public final class Share {
    // Guarded by the budget.
    private long size;
    private long wanted;
    private boolean released;

    private Share() {}

    /** Asks for so many bytes in all; false if there is no room for them now. */
    public boolean growTo(long bytes) {
      return grow(this, bytes);
    }

    /** Is the next to grow, for a while, unless somebody else is; keeps what it has. */
    public void takeTurn() {
      queue(this);
    }

    /**
     * The same for one that waits until it has so many bytes in all. To be asked before each look.
     *
     * @return false if it is in the way of one that has waited for longer: then it must give back
     *     what it has, or both might wait for each other
     */
    public boolean waitFor(long bytes) {
      return mayWait(this, bytes);
    }

    /** Gives back all, and is the next to grow, for a while, unless somebody else is. */
    public void queueUp() {
      shrink(this, 0);
      queue(this);
    }

    /** Gives back what is more than that. */
    public void shrinkTo(long bytes) {
      shrink(this, bytes);
    }

    /** Gives back everything, its turn too, and never grows again. */
    public void release() {
      leave(this);
    }
  }
}
