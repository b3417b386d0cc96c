package dev.recorder.machine;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears a log's hand-off table during one term: a turn every {@value #EVERY_SECONDS} s, on the
 * session that all recorders of the machine clear on. A turn that still waits for it, or is under
 * way, swallows the next.
 */
final class TermClearing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TermClearing.class);
  private static final int EVERY_SECONDS = 10;

  private final RecorderSettings settings;
  private final Term term;
  private final ObjectStore bucket;
  private final DataSession session;
  private final ClearingPlan plan;
  private final BooleanSupplier mayWrite;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final ScheduledFuture<?> schedule;
  private volatile boolean closed;
  private String lastWhy = "";

  TermClearing(
      RecorderWorker worker,
      Term term,
      ClearingPlan plan,
      Workshop workshop,
      BooleanSupplier mayWrite) {
    this.settings = worker.settings();
    this.term = term;
    this.bucket = worker.bucket();
    this.session = workshop.clearing();
    this.plan = plan;
    this.mayWrite = mayWrite;
    this.schedule =
        workshop
            .timer()
            .scheduleWithFixedDelay(this::hand, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  private void hand() {
    if (underWay.compareAndSet(false, true)) {
      try {
        session.execute(this::turn);
      } catch (RejectedExecutionException full) {
        underWay.set(false);
      }
    }
  }

  private boolean goesOn() {
    return !closed && mayWrite.getAsBoolean();
  }

  private void turn() {
    try (LogContext context =
        LogContext.of(term.machine(), settings.name().value(), term.epoch())) {
      if (goesOn()) {
        JdbcHandoffLeaves leaves = JdbcHandoffLeaves.on(session, settings.name(), term);
        new LogClearing(leaves, bucket, settings.layout(), this::goesOn)
            .turn(plan)
            .forEach(this::tell);
      }
    } catch (DatabaseException e) {
      session.abort(); // Whatever is open on it is rolled back.
      waits(String.valueOf(e.getMessage()));
    } catch (UnreadableSlotException e) {
      waits(String.valueOf(e.getMessage()));
    } finally {
      underWay.set(false);
    }
  }

  private void tell(Report report) {
    if (report.isCleared()) {
      lastWhy = "";
      log.info(
          "cleared {} recorded rows, {} MB: they stand {}",
          report.rows(),
          report.bytes() >> 20,
          report.why());
    } else {
      waits(report.why());
    }
  }

  /** Once for the same reason: what is in the way today may be gone tomorrow. */
  private void waits(String why) {
    if (goesOn() && !why.equals(lastWhy)) {
      lastWhy = why;
      log.info("recorded rows stay for now, trying on: {}", why);
    }
  }

  @Override
  public void close() {
    closed = true;
    schedule.cancel(false);
  }
}
