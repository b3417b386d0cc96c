package dev.recorder.slotlog;

import dev.recorder.memory.MemoryBudget;

/**
 * How much a slot's object may hold: one with more was not written by a recorder, or not like this,
 * and is not read to its end. A few bytes can unpack to more than there is memory.
 *
 * @param bytes of its uncompressed content
 * @param planned whether the database says so of this slot
 */
public record SlotBound(long bytes, boolean planned) {
  /**
   * The greatest {@code rotate_bytes}; a larger row than {@code max_payload} can be there is not.
   */
  static final long MOST_EVER = 1L << 30;

  /** What does not get smaller by packing gets a little larger: by headers, and by each block. */
  private static final int BLOCKS = 64;

  private static final long HEADERS = 16 << 10;

  /** What is only a little larger is read, so that it is told line by line what is wrong. */
  private static final long A_LITTLE = 64 << 10;

  /** As much as was planned for the slot. */
  public static SlotBound planned(long bytes) {
    return new SlotBound(bytes, true);
  }

  /** Of an object of which nothing is known but its key: what a recorder writes, if it has room. */
  public static SlotBound unplanned() {
    return new SlotBound(Math.min(MOST_EVER, MemoryBudget.mostAlone() / 2), false);
  }

  /** How much of it is unpacked. */
  long unpacked() {
    return bytes + A_LITTLE;
  }

  /** What it may have in the store. */
  long packed() {
    return unpacked() + bytes / BLOCKS + HEADERS;
  }

  /** What is wrong with an object that has more. */
  String excess() {
    if (planned) {
      return "it holds more than the " + bytes + " bytes that were planned for it";
    }
    return "it holds more than %d MiB, which is %s"
        .formatted(
            bytes >> 20,
            bytes == MOST_EVER
                ? "more than any slot"
                : "the most that this process reads without knowing what it should hold;"
                    + " a larger heap (-Xmx) reads more");
  }
}
