package dev.recorder.clearing;

/**
 * Port: the rows in {@code slots} of one log's settled slots, as one term may delete them. Called
 * on one thread. The adapter throws its own exceptions for failures.
 */
public interface SettledSlots {
  /** Reads the state of the settled slots. */
  SlotsStanding look();

  /**
   * Deletes the rows of the first slots above {@code after}, up to {@code upTo}; none if the term
   * is over.
   *
   * @return the slot up to which there are no rows now
   */
  long delete(long after, long upTo);

  /**
   * The state of the settled slots.
   *
   * @param neededFrom the first slot whose row is needed regardless of the table. Three rows are
   *     needed: that of the last slot, by the next slot; that of the newest slot planned on this
   *     server, to detect another server; and that of the newest slot with a window, to detect lost
   *     rows
   */
  record SlotsStanding(long neededFrom) {

    /** Returns the last slot whose rows may be deleted, given the rows in the table's leaves. */
    long mayDeleteUpTo(TableState table) {
      return Math.min(table.firstSlotWithRows(), neededFrom) - 1;
    }
  }
}
