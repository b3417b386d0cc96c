package dev.recorder.table;

import dev.recorder.reader.LogSlot;
import org.jspecify.annotations.Nullable;

/** Port to the slots of a log that may go into its table. For one thread. */
public interface SlotFeed {
  /**
   * Returns a slot; null if it is not settled yet. A slot is read once, and returned again until
   * another slot is requested.
   */
  @Nullable LogSlot get(long slot);
}
