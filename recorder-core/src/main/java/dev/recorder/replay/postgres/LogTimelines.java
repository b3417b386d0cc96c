package dev.recorder.replay.postgres;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a log between which the database lost commits. After such a loss numbers of statements
 * are given out again, so they order the changes of one era only: a change made after the loss
 * takes effect after everything before it in the log.
 *
 * <p>If a window breaks off there, and the database continues from where that window began, the
 * next window also has the rest of the first: changes that were not lost, of transactions that had
 * begun when the first window's end was determined. They belong to the era before.
 *
 * <p>Pure. For one thread.
 */
final class LogTimelines {
  private @Nullable WindowPart last;
  private int era;
  private long earlierBelow;

  /**
   * Begins the next slot.
   *
   * @param window of the slot; null if its object does not state it
   */
  void begin(@Nullable WindowPart window) {
    WindowPart before = last;
    last = window;
    if (before == null || window == null) {
      earlierBelow = 0;
    } else if (!before.isContinuedBy(window)) {
      era++;
      boolean goesOn = !before.ends() && before.from().equals(window.from());
      earlierBelow = goesOn ? before.endsBefore() : 0;
    } else if (!before.to().equals(window.to())) {
      earlierBelow = 0;
    }
  }

  /** The era of a change in the slot that was begun last, by its transaction's number. */
  int of(long xid) {
    return Long.compareUnsigned(xid, earlierBelow) < 0 ? era - 1 : era;
  }
}
