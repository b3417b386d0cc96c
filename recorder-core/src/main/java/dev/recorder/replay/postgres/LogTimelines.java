package dev.recorder.replay.postgres;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * Eras of a log: the parts between losses of commits in the database. After a loss, the database
 * assigns numbers of statements again. So these numbers order only the changes of one era, and a
 * change made after the loss takes effect after all changes before the loss.
 *
 * <p>If a window breaks off at the loss, and the database continues at the beginning of that
 * window, the next window also contains the rest of the broken one: changes that were not lost, of
 * transactions that had begun when the end of the broken window was determined. They belong to the
 * earlier era.
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
   * @param window the slot's window; null if its object does not state it
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

  /**
   * Returns the era of a change in the last slot that was begun, by the number of its transaction.
   */
  int of(long xid) {
    return Long.compareUnsigned(xid, earlierBelow) < 0 ? era - 1 : era;
  }
}
