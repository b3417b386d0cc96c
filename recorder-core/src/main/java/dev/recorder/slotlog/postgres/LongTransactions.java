package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The long transactions that a read avoids. A transaction that loads millions of rows has all of
 * them in the index before it commits. Each read of a log without other rows would walk them. So a
 * read avoids transactions that were in progress when an earlier read found nothing, and that still
 * are. If reads find rows, the position moves past the long transaction by itself.
 *
 * @param inVain the snapshot of the last read if it built no slot; null if it built one
 */
record LongTransactions(@Nullable Snapshot inVain) {
  static final LongTransactions NONE = new LongTransactions(null);

  /**
   * The most transactions avoided, as each costs a statement. The first to begin are the likeliest
   * to be large.
   */
  private static final int MOST = 8;

  /**
   * Returns the transactions to avoid, from {@code first} on, that are also in progress in {@code
   * to}, ascending.
   */
  long[] between(long first, Snapshot to) {
    return inVain == null
        ? LongStream.empty().toArray()
        : inVain.inProgressAbove(first - 1).filter(to::hasInProgress).limit(MOST).toArray();
  }
}
