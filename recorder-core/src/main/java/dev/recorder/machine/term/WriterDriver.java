package dev.recorder.machine.term;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.poll.RowArrivals;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Ending;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.SlotWriter;
import dev.recorder.slotlog.Ticketed;
import dev.recorder.time.Ticker;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the effects of one {@link SlotWriter}, each on its lane's executor, and returns the
 * answers to the writer. Effects run outside the monitor that guards the writer.
 *
 * <p>Once dropped, the driver starts nothing more; effects in flight finish, and their answers are
 * ignored.
 *
 * <p>An unforeseen failure ends the term, since the writer's state is then unknown. An {@link
 * Error} also reaches the lane's thread.
 */
final class WriterDriver {
  private static final Logger log = LoggerFactory.getLogger(WriterDriver.class);

  @GuardedBy("this")
  private final SlotWriter writer;

  private final Lanes lanes;
  private final TermWork work;
  private final TermObserver observer;
  private final Consumer<Ending> onEnd;
  private volatile boolean dropped;

  @GuardedBy("this")
  private @Nullable Future<?> alarm;

  /**
   * The executors of effects.
   *
   * @param database the data session's executor, one thread
   * @param store bounded pool for S3
   * @param ticker the clock by which the timer is set
   */
  record Lanes(Executor database, Executor store, ScheduledExecutorService timer, Ticker ticker) {}

  /**
   * The objects on which effects act, for one term.
   *
   * @param ledger used on the database's lane only
   * @param store used on the store's lane only
   * @param mayWrite whether a write may be started, as of now
   * @param context of log lines, set around each effect on its lane
   */
  record TermWork(
      Ledger ledger,
      SlotStore store,
      RowArrivals arrivals,
      BooleanSupplier mayWrite,
      Supplier<LogContext> context) {}

  WriterDriver(
      SlotWriter writer,
      Lanes lanes,
      TermWork work,
      TermObserver observer,
      Consumer<Ending> onEnd) {
    this.writer = writer;
    this.lanes = lanes;
    this.work = work;
    this.observer = observer;
    this.onEnd = onEnd;
  }

  synchronized void start() {
    dispatch(writer.start());
  }

  /** Ends gracefully: the slot in progress is settled first. */
  synchronized void stop() {
    if (!dropped && !writer.hasEnded()) {
      dispatch(writer.stop());
    }
  }

  /** Starts nothing from now on. */
  void drop() {
    dropped = true;
  }

  /** Drops the driver, and gives back the resources of the term; for any thread. */
  void close() {
    drop();
    work.arrivals().close();
    work.ledger().close();
  }

  private synchronized void deliver(long ticket, Event event) {
    if (dropped) {
      return;
    }
    try {
      dispatch(writer.on(ticket, event, lanes.ticker().nanos()));
    } catch (RuntimeException broken) {
      // An invariant is broken: end the term, and leave the log to a peer.
      log.error(
          LogEvent.BUG,
          "bug: the writer is in a state it must not be in, and ends its term",
          broken);
      giveUp("internal error: " + broken);
    } catch (Error fatal) {
      drop();
      throw fatal;
    }
  }

  private synchronized void giveUp(String why) {
    if (!dropped) {
      drop();
      onEnd.accept(new Ending(Ending.EndingKind.FAILED, why));
    }
  }

  @GuardedBy("this")
  private void dispatch(List<Ticketed> effects) {
    for (Ticketed ticketed : effects) {
      try {
        dispatch(ticketed, ticketed.effect());
      } catch (RejectedExecutionException shuttingDown) {
        giveUp("its lanes take no more work");
      }
    }
  }

  /** Sends each effect to its lane; no other code distinguishes effects. */
  @GuardedBy("this")
  private void dispatch(Ticketed ticketed, Effect effect) {
    if (effect instanceof Effect.LedgerEffect || effect instanceof Effect.StoreEffect) {
      // Now, not on its lane, so that a hanging effect does not pass for an idle writer.
      work.arrivals().endWait();
    }
    if (effect instanceof Effect.Read read) {
      lanes.database().execute(() -> perform(ticketed, () -> read(read)));
    } else if (effect instanceof Effect.LedgerEffect asked) {
      lanes.database().execute(() -> perform(ticketed, () -> asked.on(work.ledger())));
    } else if (effect instanceof Effect.StoreEffect asked) {
      lanes.store().execute(() -> perform(ticketed, () -> asked.on(work.store())));
    } else if (effect instanceof Effect.Wake wake) {
      wake(ticketed.ticket(), wake.atNanos());
    } else if (effect instanceof Effect.AwaitRows rows) {
      wake(ticketed.ticket(), rows.atNanos());
      Runnable told = () -> deliver(ticketed.ticket(), new Event.Woken());
      work.arrivals().await(rows.rows(), lanes.ticker().nanos(), told);
    } else if (effect instanceof Effect.Finish finish) {
      lanes.timer().execute(() -> onEnd.accept(finish.ending()));
    }
  }

  /** Notes the read for the wait that follows: only later rows count. */
  private Event read(Effect.Read read) {
    work.arrivals().reads();
    return read.on(work.ledger());
  }

  private void perform(Ticketed ticketed, Supplier<Event> carryOut) {
    if (dropped) {
      return;
    }
    Effect effect = ticketed.effect();
    Event event;
    try (LogContext context = work.context().get()) {
      observer.begins(effect);
      // As late as possible, microseconds before the first byte.
      boolean mayStart = !effect.needsLease() || work.mayWrite().getAsBoolean();
      event = mayStart ? carryOut.get() : new Event.LeaseEnded();
      observe(effect, event);
    } catch (RuntimeException bug) {
      if (!dropped) {
        log.error(
            LogEvent.BUG,
            "bug: {} failed in an unforeseen way, and its term ends",
            effect.getClass().getSimpleName(),
            bug);
      }
      giveUp("internal error: " + bug);
      return;
    } catch (Error fatal) {
      drop();
      throw fatal;
    }
    deliver(ticketed.ticket(), event);
  }

  private synchronized void observe(Effect effect, Event event) {
    if (!dropped && !writer.hasEnded()) {
      observer.answered(effect, event);
    }
  }

  /** Sets the alarm, in place of the previous one, which no effect waits for. */
  @GuardedBy("this")
  private void wake(long ticket, long atNanos) {
    Future<?> before = alarm;
    if (before != null) {
      before.cancel(false);
    }
    long delay = Math.max(0, atNanos - lanes.ticker().nanos());
    Runnable woken = () -> deliver(ticket, new Event.Woken());
    alarm = lanes.timer().schedule(woken, delay, TimeUnit.NANOSECONDS);
  }

  @Override
  public synchronized String toString() {
    return writer.toString();
  }
}
