package dev.recorder.clearing.race;

import dev.recorder.handoff.Term;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DataSession;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.postgres.HandoffReader;
import dev.recorder.slotlog.postgres.JdbcLedger;
import dev.recorder.time.ByteQueue;
import java.util.concurrent.Callable;

/** Records rows all the time, as whoever holds the term; a pass at a time. */
final class Scribe implements Callable<Void>, AutoCloseable {
  private static final int ROWS_PER_SLOT = 20;

  private final Race race;
  private final DataSession session;

  Scribe(Race race) {
    this.race = race;
    this.session = new DataSession(race.site.sessions(), 1);
  }

  @Override
  public Void call() throws Exception {
    while (!race.isOver()) {
      recordAll();
      Thread.sleep(1);
    }
    return null;
  }

  /** Records what there is at this moment, at least. */
  synchronized void recordAll() {
    boolean done = false;
    while (!done) {
      Term term = race.terms.current();
      done = recordAs(ledger(term), new SlotStore(race.site.store, RebaseSite.LAYOUT, term));
    }
  }

  private JdbcLedger ledger(Term term) {
    return new JdbcLedger(
        session,
        term,
        RebaseSite.ORDERS,
        new HandoffReader.SlotForm(
            new Rotation(ROWS_PER_SLOT, Long.MAX_VALUE),
            Compression.NONE,
            MemoryBudget.ofHeap(),
            ByteQueue.Threads.NONE),
        new SlotReader(race.site.store, RebaseSite.LAYOUT));
  }

  /** Whether all was recorded; not if the term ended, or the database gave no answer. */
  private static boolean recordAs(JdbcLedger ledger, SlotStore slots) {
    if (!(ledger.load() instanceof Event.Loaded loaded)) {
      return false;
    }
    LogHead head = loaded.head();
    while (true) {
      while (slots.look(head.lastSlot() + 1) instanceof Event.Found found) {
        if (!(ledger.adopt(new Effect.Adopt(head, found.object()))
            instanceof Event.Adopted adopted)) {
          return false;
        }
        head = adopted.head();
      }
      Event read =
          ledger.read(
              new Effect.Read(head.lastSlot() + 1, head.lastSlot(), head.position(), false));
      if (!(read instanceof Event.Built built)) {
        return read instanceof Event.NothingWaiting;
      }
      LogHead next = head.after(built.content());
      boolean settled =
          ledger.plan(built.content()) instanceof Event.Planned
              && slots.put(built.content(), next.chain()) instanceof Event.PutCreated
              && ledger.settle(new Effect.Settle(built.content(), next.chain(), null))
                  instanceof Event.Settled;
      if (!settled) {
        return false;
      }
      head = next;
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
