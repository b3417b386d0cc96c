package dev.recorder.slotlog.postgres;

/** A row that no slot can hold, or not in this process. The log stops in front of it. */
final class UnrecordableRowException extends Exception {
  private static final long serialVersionUID = 1L;
  private final long xid;
  private final long id;

  /**
   * Of the row with this place.
   *
   * @param why what is wrong with it, and the remedy
   */
  UnrecordableRowException(long xid, long id, String why) {
    super(why);
    this.xid = xid;
    this.id = id;
  }

  /** What an operator must know, with the table's name. */
  String of(String table) {
    return "the row with id "
        + id
        + " and xid "
        + xid
        + " of "
        + table
        + " cannot be recorded, and nothing after it: "
        + getMessage();
  }
}
