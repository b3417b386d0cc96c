package dev.recorder.slotlog;

/** What a {@link SlotWriter} is at. */
enum WriterPhase {
  NEW,
  /** Finds out where the log stands; {@link Recovery} knows the steps. */
  RECOVERING,
  /** Until it recovers again. */
  WAITING_TO_RECOVER,
  READING,
  /** Until the next read is due. */
  LINGERING,
  PLANNING,
  PUTTING,
  /** Looks whose object is under the slot's key. */
  COMPARING,
  WAITING_TO_PUT_AGAIN,
  WAITING_TO_COMPARE,
  /** The slot is in the store, and the next one's content still being built. */
  AWAITING_AHEAD,
  SETTLING,
  ENDED;

  /** Whether nothing is under way that should be finished before an end. */
  boolean isBetweenSlots() {
    return switch (this) {
      case NEW, READING, LINGERING, WAITING_TO_RECOVER -> true;
      default -> false;
    };
  }
}
