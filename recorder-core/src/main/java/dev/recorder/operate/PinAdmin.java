package dev.recorder.operate;

import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.orders.InspectionSession;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.slotlog.postgres.ForeignNumbers;

/**
 * Answers whether a recorder may write from a session's database; pins the recorder to that
 * database. Not thread-safe.
 */
public final class PinAdmin {
  private final InspectionSession session;
  private final SchemaNames schemas;
  private final DatabasePin pin;

  PinAdmin(InspectionSession session, SchemaNames schemas) {
    this.session = session;
    this.schemas = schemas;
    this.pin = new DatabasePin(schemas);
  }

  /**
   * Returns why the log must not be recorded before a rebase; empty if the numbers of its rows are
   * this server's own.
   */
  public String foreignNumbers(RecorderName recorder, int lockId) {
    return session.ask(c -> new ForeignNumbers(schemas).refusal(c, lockId, recorder));
  }

  /**
   * Returns why the recorder must not write from this database; empty if the recorder is pinned to
   * this database.
   */
  public String another(RecorderName recorder, int lockId) {
    return session.ask(c -> pin.look(c, lockId).refusal(recorder));
  }

  /** Pins the recorder to this database. */
  public void pin(int lockId) {
    session.ask(
        c -> {
          pin.move(c, lockId, pin.look(c, lockId));
          return true;
        });
  }
}
