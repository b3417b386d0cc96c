package dev.recorder.table;

import dev.recorder.reader.LogReader;
import dev.recorder.reader.LogSlot;
import dev.recorder.reader.ReaderPosition;
import org.jspecify.annotations.Nullable;

/** Reads slots from the bucket and checks each. */
final class LogFeed implements SlotFeed, AutoCloseable {
  private final LogAddress log;
  private final long last;
  private @Nullable LogReader reader;
  private @Nullable LogSlot current;
  private long next;

  /** Creates a feed of the slots up to {@code last}, all of which must be settled. */
  LogFeed(LogAddress log, long last) {
    this.log = log;
    this.last = last;
  }

  @Override
  public @Nullable LogSlot get(long slot) {
    if (current != null && current.slot() == slot) {
      return current;
    }
    current = null;
    if (slot > last) {
      return null;
    }
    LogReader from = reader;
    if (from == null || next != slot) {
      close();
      from =
          LogReader.of(log.bucket(), log.layout())
              .log(log.uuid())
              .from(ReaderPosition.of(slot))
              .upTo(last)
              .ahead(1, 1)
              .open();
      reader = from;
    }
    current = from.next();
    next = slot + 1;
    return current;
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
