package dev.recorder.testing;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.SlotContent;
import java.time.Instant;
import java.util.UUID;

/** Where rows of tests were read. */
public final class Origins {
  public static final DatabaseIdentity DATABASE = new DatabaseIdentity("db:5432/app", 7, 16_384, 1);

  /** Of a log without slots. */
  public static final LogChain CHAIN = LogChain.of(new UUID(0, 1));

  /** When rows of tests were read. */
  public static final Instant READ_AT = Instant.parse("2026-01-02T03:04:05.678901Z");

  private Origins() {}

  /** On a session with the database that all of them are in. */
  public static SlotContent.Origin of(String session) {
    return new SlotContent.Origin(session, DATABASE);
  }
}
