package dev.recorder.simulation.servers;

import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.SlotContent;
import org.jspecify.annotations.Nullable;

/** The ledger of a term over the imaginary database, without a network between them. */
final class FakeLedger implements Ledger {
  private final FakeDatabase database;
  private final String machine;
  private final LedgerTerm term;
  private @Nullable FakeSession session;
  private @Nullable FakeSession loadedOn;

  FakeLedger(FakeDatabase database, String machine, LedgerTerm term) {
    this.database = database;
    this.machine = machine;
    this.term = term;
  }

  @Override
  public LedgerEvent load() {
    return perform(new Effect.Load());
  }

  @Override
  public LedgerEvent read(Effect.Read read) {
    return perform(read);
  }

  @Override
  public LedgerEvent plan(SlotContent content) {
    return perform(new Effect.Plan(content));
  }

  @Override
  public LedgerEvent settle(Effect.Settle settle) {
    return perform(settle);
  }

  @Override
  public LedgerEvent adopt(Effect.Adopt adopt) {
    return perform(adopt);
  }

  private LedgerEvent perform(Effect.LedgerEffect effect) {
    FakeSession current = session;
    if (current == null) {
      current = database.open(machine, false);
      session = current;
    }
    if (effect instanceof Effect.Load) {
      loadedOn = current;
    }
    LedgerEvent event =
        loadedOn == current
            ? term.perform(current, effect)
            : new Event.DatabaseUnclear("the data session is a new one");
    if (event instanceof Event.DatabaseUnclear && !current.isAlive()) {
      session = null;
    }
    return event;
  }
}
