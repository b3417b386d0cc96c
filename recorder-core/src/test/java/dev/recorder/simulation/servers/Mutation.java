package dev.recorder.simulation.servers;

/** A rule of the protocol, broken on purpose: a simulator that does not notice is worth nothing. */
public enum Mutation {
  NONE,
  /** The PUT's condition is ignored. */
  PLAIN_PUT,
  /** The epoch stands in the object's key, so two writers of a slot do not meet. */
  EPOCH_IN_KEY,
  /** 412 counts as success, without a look at what is there. */
  CONFLICT_IS_SUCCESS,
  /**
   * Rows are read from where the database stands now, without a check of the last slot; and what
   * would catch that behind it, the check of the session, is off too.
   */
  READ_WITHOUT_LAST_SLOT,
  /** A slot is settled without a check of the last slot. */
  SETTLE_WITHOUT_LAST_SLOT,
  /** After a PUT without answer the writer goes on to the next slot. */
  NEXT_SLOT_AFTER_TIMEOUT,
  /** The next slot is sent as soon as it is built. */
  NEXT_SLOT_BEFORE_SETTLE,
  /** What was built ahead is kept although somebody else wrote the slot before it. */
  CONTENT_KEPT_AFTER_CONFLICT,
  /** Each object says that its window ends with it. */
  WINDOW_ENDED_BY_EACH_SLOT,
  /** Who plans a content that was planned before writes it under the window that it has read. */
  WINDOW_OF_THE_LATER_PLAN,
  /** The window of any object is believed, whether this database planned it or not. */
  ANY_WINDOW_BELIEVED,
  /** A slot that this database never planned is adopted, although it can have lost none. */
  ANY_SLOT_ADOPTED,
  /** What was loaded on one session is read, adopted or settled on another. */
  SESSION_CHANGED_UNNOTICED,
  /** A slot is adopted by its rows while some of them are prepared and cannot be seen yet. */
  PREPARED_ROWS_OVERLOOKED,
  /** Somebody deletes objects that the floor does not cover. */
  DELETED_ABOVE_FLOOR,
  /** A slot that another wrote is settled with the chain of what was planned here for it. */
  CHAIN_OF_THE_OWN_PLAN,
  /** A slot that is adopted by its rows leaves the chain as it leaves the position. */
  CHAIN_KEPT_WITH_THE_POSITION,
  /** A writer keeps the chain that it knew when it loads again. */
  CHAIN_KEPT_OVER_A_LOAD,
  /** A slot's chain is that of the slot it was built behind, whoever wrote that one in the end. */
  CHAIN_OF_CONTENT_BUILT_AHEAD,
  /** A leaf is emptied without a second look at what it has. */
  CLEARED_WITHOUT_SECOND_LOOK,
  /** What a leaf has is read by the index. */
  CLEARED_BY_THE_INDEX,
  /** New rows are not kept out of a leaf while it is looked at again. */
  CLEARED_WITHOUT_LOCK,
  /** A leaf is emptied in a term that was over when its clearing began. */
  CLEARED_WITH_AN_OLD_EPOCH,
  /** A row counts as recorded as soon as its slot is planned. */
  CLEARED_BEFORE_THE_OBJECT;

  /** Whether a writer loads again when its data session is a new one. */
  public boolean noticesNewSession() {
    return this != SESSION_CHANGED_UNNOTICED && this != READ_WITHOUT_LAST_SLOT;
  }
}
