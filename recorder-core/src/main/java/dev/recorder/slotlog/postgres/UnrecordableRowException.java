package dev.recorder.slotlog.postgres;

/** Reports a row that cannot be recorded, or not by this process. The log stops before it. */
final class UnrecordableRowException extends Exception {
  private static final long serialVersionUID = 1L;
  private final long xid;
  private final long id;
  private final boolean repeated;

  /**
   * Reports the row with this place.
   *
   * @param why what is wrong with it, and the remedy
   */
  UnrecordableRowException(long xid, long id, String why) {
    this(xid, id, why, false);
  }

  private UnrecordableRowException(long xid, long id, String why, boolean repeated) {
    super(why);
    this.xid = xid;
    this.id = id;
    this.repeated = repeated;
  }

  /** Reports two rows with the same place, which only the table's owner can have written. */
  static UnrecordableRowException repeated(long xid, long id) {
    return new UnrecordableRowException(
        xid,
        id,
        "another row has both numbers; let the table's owner give one of them new ones, by SET xid"
            + " = DEFAULT, id = DEFAULT, see the runbook",
        true);
  }

  /**
   * Returns whether two rows have this place. Then the rows read before it must not be recorded
   * either: one of the two may be among them, and the position would move past both.
   */
  boolean isRepeated() {
    return repeated;
  }

  /** Returns the message for operators, with the table's name. */
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
