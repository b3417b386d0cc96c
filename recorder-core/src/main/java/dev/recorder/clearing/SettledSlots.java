package dev.recorder.clearing;

/**
 * Port: the rows in {@code slots} of one log's settled slots, as one term may delete them. Called
 * on one thread. What cannot be asked or done is an exception of the adapter's.
 */
public interface SettledSlots {
  /** How they stand. */
  SlotsStanding look();

  /**
   * Deletes the first rows of slots behind {@code after}, up to {@code upTo}, all of each slot's;
   * none if the term is over.
   *
   * @return up to which slot there are none now
   */
  long delete(long after, long upTo);

  /**
   * How the settled slots stand.
   *
   * @param neededFrom the first slot whose row is asked for whatever the table has: the last one's
   *     by the next slot; that of the newest that was planned on this server, to tell whether it
   *     still is that server; and that of the newest with a window, to tell whether rows are lost
   */
  record SlotsStanding(long neededFrom) {

    /** The last slot whose rows nobody asks for any more, by what the table's leaves still have. */
    long mayDeleteUpTo(TableState table) {
      return Math.min(table.firstSlotWithRows(), neededFrom) - 1;
    }
  }
}
