package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.slotlog.Event.Adopted;
import dev.recorder.slotlog.Event.DatabaseRefused;
import dev.recorder.slotlog.Event.DatabaseUnclear;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.postgres.IdentityAdoption;
import dev.recorder.slotlog.postgres.PlannedSlots;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Adopts all slots in the store, whichever database has written them. */
record RebaseAdoption(
    Connection connection, SchemaNames names, RecorderName recorder, RebaseObjects objects) {

  /** Adopts while the rows still carry the numbers that the objects have. */
  LogHead adopt(Term term, LogHead from) throws SQLException {
    SlotStatements slots = new SlotStatements(names, term);
    PlannedSlots plans = new PlannedSlots(names, term.lockId());
    IdentityAdoption identity = new IdentityAdoption(names, recorder, term, objects.reader());
    LogHead head = from;
    Optional<ObjectMetadata> next = objects.look(head.lastSlot() + 1);
    while (next.isPresent()) {
      head = adopt(slots, plans, identity, head, next.get());
      next = objects.look(head.lastSlot() + 1);
    }
    return head;
  }

  private LogHead adopt(
      SlotStatements slots,
      PlannedSlots plans,
      IdentityAdoption identity,
      LogHead head,
      ObjectMetadata object)
      throws SQLException {
    var planned = plans.position(connection, head, object.sha256());
    if (planned.isPresent()) {
      LogHead adopted = head.adopting(object, planned.get());
      if (!slots.advance(connection, head.lastSlot(), adopted)) {
        throw RebaseTerm.fenced(recorder);
      }
      return adopted;
    }
    LedgerEvent event = identity.adopt(connection, head, object);
    if (event instanceof Adopted adopted) {
      return adopted.head();
    } else if (event instanceof DatabaseUnclear unclear) {
      throw new DatabaseException(DatabaseErrorKind.BUSY, unclear.why() + "; then run it again");
    } else if (event instanceof DatabaseRefused refused) {
      throw new DatabaseException(DatabaseErrorKind.UNUSABLE, refused.why());
    }
    throw RebaseTerm.fenced(recorder);
  }
}
