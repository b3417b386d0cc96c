package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Long transactions that a read avoids. One that loads millions of rows has all of them in the
 * index before it commits, and each read of a log that has nothing else to read would walk them. So
 * those that were in progress when a read found nothing, and still are, are avoided; where reads
 * find rows, positions get past such a transaction by themselves.
 *
 * @param inVain what a read saw that built no slot; null if the last one built one
 */
record LongTransactions(@Nullable Snapshot inVain) {
  static final LongTransactions NONE = new LongTransactions(null);

  /** Each costs a statement; those that began first are the likeliest to be large. */
  private static final int MOST = 8;

  /** Those that {@code to} does not see either, from {@code first} on, ascending. */
  long[] between(long first, Snapshot to) {
    return inVain == null
        ? LongStream.empty().toArray()
        : inVain.inProgressAbove(first - 1).filter(to::hasInProgress).limit(MOST).toArray();
  }
}
