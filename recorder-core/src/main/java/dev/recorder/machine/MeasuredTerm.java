package dev.recorder.machine;

import dev.recorder.logging.LogContext;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.time.Ticker;

/** What one term works on, with figures of what was done and how long it took. */
final class MeasuredTerm implements WriterDriver.Work {
  private final WriterDriver.Work work;
  private final LogMetrics metrics;
  private final Ticker ticker;

  /** Written and read on the lane of the store, which has one PUT at a time. */
  private volatile long putAt;

  /** Written and read on the lane of the database. */
  private volatile long settleAt;

  MeasuredTerm(WriterDriver.Work work, LogMetrics metrics, Ticker ticker) {
    this.work = work;
    this.metrics = metrics;
    this.ticker = ticker;
  }

  @Override
  public Ledger ledger() {
    return work.ledger();
  }

  @Override
  public SlotStore store() {
    return work.store();
  }

  @Override
  public LogContext context() {
    return work.context();
  }

  @Override
  public void begins(Effect effect) {
    if (effect instanceof Effect.Put) {
      putAt = ticker.nanos();
    } else if (effect instanceof Effect.Settle) {
      settleAt = ticker.nanos();
    }
    work.begins(effect);
  }

  @Override
  public void await(Effect.AwaitRows rows, Runnable told) {
    work.await(rows, told);
  }

  @Override
  public void endWait() {
    work.endWait();
  }

  @Override
  public void report(Effect effect, Event event) {
    if (event instanceof Event.PutCreated || event instanceof Event.PutAlreadyThere) {
      metrics.put().add(ticker.nanos() - putAt);
    } else if (event instanceof Event.Settled && effect instanceof Effect.Settle settle) {
      metrics.settle().add(ticker.nanos() - settleAt);
      SlotContent slot = settle.content();
      metrics.settled(slot.slot(), slot.extent().rows(), slot.bytes(), slot.body().length);
    } else if (event instanceof Event.Loaded loaded) {
      metrics.stands(loaded.head().lastSlot());
    } else if (event instanceof Event.Adopted adopted) {
      metrics.adopted(adopted.head().lastSlot());
    } else {
      reportTrouble(event);
    }
    work.report(effect, event);
  }

  private void reportTrouble(Event event) {
    if (event instanceof Event.DatabaseUnclear) {
      metrics.failed(LogMetrics.DATABASE);
    } else if (event instanceof Event.StoreUnclear) {
      metrics.failed(LogMetrics.STORE);
    } else if (event instanceof Event.LeaseEnded) {
      metrics.failed(LogMetrics.LEASE);
    } else if (event instanceof Event.Fenced || event instanceof Event.NotOurs) {
      metrics.failed(LogMetrics.FENCED);
    } else if (event instanceof Event.Final) {
      metrics.failed(LogMetrics.REFUSED);
    }
  }
}
