package dev.recorder.table;

import dev.recorder.reader.LogSlot;
import org.jspecify.annotations.Nullable;

/** Port: the slots of a log that may go into its table. For one thread. */
public interface SlotFeed {
  /** The slot; null if it is not settled yet. It is read once, and given until another is asked. */
  @Nullable LogSlot get(long slot);
}
