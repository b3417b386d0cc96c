package dev.recorder.slotlog;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a writer looks for rows, and when those that do not fill a slot have waited long enough for
 * company. Pure; not thread-safe.
 */
final class Linger {
  /**
   * How often a new term reads without being told, at intervals that double, before it relies on
   * being told: who tells may not be there yet. Of a thousand terms that begin together each such
   * read keeps the others' first slots waiting.
   */
  private static final int EAGER_READS = 5;

  /** How long rows may wait on after the end of a pause. */
  private static final long LOOK_WHILE_PAUSED = Duration.ofSeconds(1).toNanos();

  private final WriterPolicy policy;

  /** The first read of a term takes what there is: a takeover is no time to wait. */
  private boolean hurried = true;

  private int eagerReads;
  private boolean tookRows;
  private long lastReadAt;
  private long takenAt;

  /** The first read that saw rows which were not taken; null if there are none. */
  private @Nullable Long seenAt;

  private long missing;

  Linger(WriterPolicy policy) {
    this.policy = policy;
  }

  void reads(long now) {
    lastReadAt = now;
  }

  /** Whether a read at {@code now} takes rows that do not fill a slot. */
  boolean takesPart(long now) {
    Long seen = seenAt;
    boolean lingered = seen != null && now - policy.linger().dueAt(seen, takenAt) >= 0;
    return hurried || lingered || !waits();
  }

  /** Whether rows wait at all, as those behind a slot that is under way do. */
  boolean waits() {
    return policy.linger().waits();
  }

  /** Rows behind a slot that is under way were looked for. */
  void readAhead(boolean tookSome, long now) {
    if (tookSome) {
      reads(now);
      tookRows();
    }
  }

  /** The last read took what it saw. */
  void tookRows() {
    hurried = false;
    tookRows = true;
    takenAt = lastReadAt;
    seenAt = null;
  }

  /**
   * The last read took nothing.
   *
   * @param missing how many rows more should fill a slot; 0 if none are waiting
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

  /** The log may be resumed at any time, and nobody tells. */
  static Effect whilePaused(long now) {
    return new Effect.Wake(now + LOOK_WHILE_PAUSED);
  }

  /**
   * What to wait for until the next read: after a takeover rows of its moment are on their way, and
   * after rows there mostly are more, so the next are looked for soon.
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
