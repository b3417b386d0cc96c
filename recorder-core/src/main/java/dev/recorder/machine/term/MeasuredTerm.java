package dev.recorder.machine.term;

import dev.recorder.metrics.LogMetrics;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.time.Ticker;

/** Counts and times the work of one term. */
final class MeasuredTerm implements TermObserver {
  private final TermObserver next;
  private final LogMetrics metrics;
  private final Ticker ticker;

  /** Used on the store's lane, which has one PUT at a time. */
  private volatile long putAt;

  /** Used on the database's lane. */
  private volatile long settleAt;

  MeasuredTerm(TermObserver next, LogMetrics metrics, Ticker ticker) {
    this.next = next;
    this.metrics = metrics;
    this.ticker = ticker;
  }

  @Override
  public void begins(Effect effect) {
    if (effect instanceof Effect.Put) {
      putAt = ticker.nanos();
    } else if (effect instanceof Effect.Settle) {
      settleAt = ticker.nanos();
    }
    next.begins(effect);
  }

  @Override
  public void answered(Effect effect, Event event) {
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
    next.answered(effect, event);
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
