package dev.recorder.slotlog;

import dev.recorder.memory.MemoryBudget;

/**
 * The limit for the content of a slot's object. A larger object was not written by a recorder, or
 * not in this form, and is not read to its end: a few bytes can unpack to more than the memory
 * holds.
 *
 * @param bytes most bytes of uncompressed content
 * @param planned whether the limit is from the slot's plan in the database
 */
public record SlotBound(long bytes, boolean planned) {
  /**
   * The limit for any slot: the greatest {@code rotate_bytes}, which is above the greatest {@code
   * max_payload}.
   */
  static final long MOST_EVER = 1L << 30;

  /** Content that cannot be compressed gets a little larger, by headers and by each block. */
  private static final int BLOCKS = 64;

  private static final long HEADERS = 16 << 10;

  /**
   * Content that exceeds the limit by less than this is read, so that its wrong lines can be
   * reported.
   */
  private static final long A_LITTLE = 64 << 10;

  /** Returns the limit of a slot for which so many bytes were planned. */
  public static SlotBound planned(long bytes) {
    return new SlotBound(bytes, true);
  }

  /**
   * Returns the limit of a slot without a known plan: the largest slot, or less if this process has
   * not enough memory.
   */
  public static SlotBound unplanned() {
    return new SlotBound(Math.min(MOST_EVER, MemoryBudget.mostAlone() / 2), false);
  }

  /** Returns how many bytes are unpacked at most. */
  long unpacked() {
    return bytes + A_LITTLE;
  }

  /** Returns the most bytes of the object in the store. */
  long packed() {
    return unpacked() + bytes / BLOCKS + HEADERS;
  }

  /** Returns the reason to refuse an object that exceeds the limit. */
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
