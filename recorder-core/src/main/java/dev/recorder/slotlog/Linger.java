package dev.recorder.slotlog;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a writer reads, and when rows that do not fill a slot have waited long enough for
 * more rows. Pure; not thread-safe.
 */
final class Linger {
  /**
   * The number of reads, at intervals that double, that a new term makes without a report of rows.
   * Then it relies on reports, whose sender may not be running at the beginning. If a thousand
   * terms begin together, each such read delays the first slots of the others.
   */
  private static final int EAGER_READS = 5;

  /** The longest wait of rows after the end of a pause. */
  private static final long LOOK_WHILE_PAUSED = Duration.ofSeconds(1).toNanos();

  private final WriterPolicy policy;

  /**
   * Whether the next read takes rows without lingering. The first reads of a term do, until one
   * takes rows.
   */
  private boolean hurried = true;

  private int eagerReads;
  private boolean tookRows;
  private long lastReadAt;
  private long takenAt;

  /** The time of the first read that saw rows and left them waiting; null if none are waiting. */
  private @Nullable Long seenAt;

  private long missing;

  Linger(WriterPolicy policy) {
    this.policy = policy;
  }

  void reads(long now) {
    lastReadAt = now;
  }

  /** Returns whether a read at {@code now} takes rows that do not fill a slot. */
  boolean takesPart(long now) {
    Long seen = seenAt;
    boolean lingered = seen != null && now - policy.linger().dueAt(seen, takenAt) >= 0;
    return hurried || lingered || !waits();
  }

  /** Returns whether rows that do not fill a slot wait at all. */
  boolean waits() {
    return policy.linger().waits();
  }

  /** Notes that rows after a slot under way were read. */
  void readAhead(boolean tookSome, long now) {
    if (tookSome) {
      reads(now);
      tookRows();
    }
  }

  /** Notes that the last read took the rows that it saw. */
  void tookRows() {
    hurried = false;
    tookRows = true;
    takenAt = lastReadAt;
    seenAt = null;
  }

  /**
   * Notes that the last read took no rows.
   *
   * @param missing how many more rows should fill a slot; 0 if no rows are waiting
   */
  void tookNothing(long missing) {
    tookRows = false;
    this.missing = missing;
    if (missing == 0) {
      seenAt = null;
    } else if (seenAt == null) {
      seenAt = lastReadAt;
    }
  }

  /** Returns the wait of a paused log: no report comes when the pause ends. */
  static Effect whilePaused(long now) {
    return new Effect.Wake(now + LOOK_WHILE_PAUSED);
  }

  /**
   * Returns the wait until the next read. After a takeover, rows are probably on their way. After a
   * read that took rows, more rows mostly follow. In both cases the next read comes soon.
   */
  Effect rest() {
    if (hurried && eagerReads < EAGER_READS) {
      return new Effect.AwaitRows(1, lastReadAt + policy.retryNanos(eagerReads++));
    } else if (tookRows) {
      return new Effect.Wake(lastReadAt + policy.pace().toNanos());
    }
    Long seen = seenAt;
    if (seen == null) {
      return new Effect.AwaitRows(1, lastReadAt + policy.lookAgain().toNanos());
    }
    long due = policy.linger().dueAt(seen, takenAt);
    long again = lastReadAt + policy.countAgainNanos(lastReadAt - seen);
    return new Effect.AwaitRows(missing, due - again < 0 ? due : again);
  }
}
