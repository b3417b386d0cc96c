package dev.recorder.replay.postgres;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * Stretches of a log between which the database lost commits. Behind such a loss the numbers of
 * statements are given out again, so they order the changes of one era, and not those of two: what
 * was changed after the loss takes effect after all that the log has before it.
 *
 * <p>If a window breaks off there, and the database goes on from where that window began, then the
 * next window also has what is left of the first: changes that were not lost, of transactions that
 * had begun when the first window's end was seen. They belong to the era before.
 *
 * <p>Pure. For one thread.
 */
final class Eras {
  private @Nullable WindowPart last;
  private int era;
  private long earlierBelow;

  /**
   * Goes on with a slot.
   *
   * @param window what it says of its window; null if it says nothing
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

  /** The era of a change of the slot that was begun last, by its transaction's number. */
  int of(long xid) {
    return Long.compareUnsigned(xid, earlierBelow) < 0 ? era - 1 : era;
  }
}
