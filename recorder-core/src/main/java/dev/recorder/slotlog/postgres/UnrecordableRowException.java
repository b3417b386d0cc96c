package dev.recorder.slotlog.postgres;

/** A row that no slot can hold, or not in this process. The log stops in front of it. */
final class UnrecordableRowException extends Exception {
  private static final long serialVersionUID = 1L;
  private final long xid;
  private final long id;
  private final boolean repeated;

  /**
   * Of the row with this place.
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

  /** Of two rows that have this place; only the owner of the table can have written them. */
  static UnrecordableRowException repeated(long xid, long id) {
    return new UnrecordableRowException(
        xid,
        id,
        "another row has both numbers; let the table's owner give one of them new ones, by SET xid"
            + " = DEFAULT, id = DEFAULT, see the runbook",
        true);
  }

  /**
   * Whether there are two, so that what stands before must not be recorded either: the first may be
   * among it, and the log would go on behind both.
   */
  boolean isRepeated() {
    return repeated;
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
