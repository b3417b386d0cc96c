package dev.recorder.testing;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.slotlog.SlotContent;

/** Where rows of tests were read. */
public final class Origins {
  public static final DatabaseIdentity DATABASE = new DatabaseIdentity("db:5432/app", 7, 16_384, 1);

  private Origins() {}

  /** On a session with the database that all of them are in. */
  public static SlotContent.Origin of(String session) {
    return new SlotContent.Origin(session, DATABASE);
  }
}
