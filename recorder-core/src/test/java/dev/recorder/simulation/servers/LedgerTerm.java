package dev.recorder.simulation.servers;

import dev.recorder.handoff.Term;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;

/** A term as its ledger knows it, whatever session its statements come on. */
public record LedgerTerm(
    Term term, Rotation rotation, Compression compression, SlotReader source, Mutation mutation) {

  /** Carries out an effect of the database lane on this session. */
  public LedgerEvent perform(FakeSession session, Effect.LedgerEffect effect) {
    return new LedgerStatements(session, this).perform(effect);
  }

  /** What a writer would do that gave a slot up: count it as done, with none of its rows. */
  public void skip(FakeDatabase database, long slot) {
    RecorderRow row = database.recorder(term.lockId());
    boolean ours = row.epoch() == term.epoch() && term.machine().equals(row.holder());
    if (ours && row.lastSlot() == slot - 1) {
      RecorderRow skipped =
          row.advanced(slot, row.chain(), row.position(), term.epoch(), database.clockMicros());
      database.write(() -> database.tables().recorders.put(term.lockId(), skipped));
    }
  }
}
