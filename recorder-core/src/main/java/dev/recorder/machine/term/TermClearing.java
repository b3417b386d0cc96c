package dev.recorder.machine.term;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Plurals;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.PausedRecorders;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Ticker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears a log's hand-off table during one term, and then deletes rows of settled slots that
 * nothing needs. Each turn follows after {@link ClearingPlan#pause}, on the session on which all
 * recorders of the host clear. If the term ends during a turn, the session and its running
 * statement end, too; every step may end anywhere.
 */
final class TermClearing implements ChoreWork, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TermClearing.class);
  private static final long NO_BLOCK = -1;

  private final RecorderSettings settings;
  private final Term term;
  private final ClearingRoom room;
  private final LogClearing clearing;
  private final DataSession session;
  private final ClearingPlan plan;
  private final BooleanSupplier mayWrite;
  private final PausedRecorders pauses;
  private final ScheduledChore chore;
  private volatile boolean closed;
  private volatile @Nullable String waitsFor;

  // Used by one turn at a time.
  private final Map<Long, String> lastWhy = new HashMap<>();
  private String lastTrouble = "";

  TermClearing(
      RecorderWorker worker,
      Term term,
      ClearingPlan plan,
      SharedResources resources,
      BooleanSupplier mayWrite) {
    this.settings = worker.settings();
    this.term = term;
    Ticker ticker = Ticker.system();
    this.room = new ClearingRoom(resources.memory(), this::goesOn, ticker);
    this.clearing = new LogClearing(worker.bucket(), settings.layout(), this::goesOn, room, ticker);
    this.session = resources.clearing();
    this.plan = plan;
    this.mayWrite = mayWrite;
    this.pauses = resources.pauses();
    ClearingTurns pace =
        new ClearingTurns(plan.pause().toMillis(), resources.recorders(), settings.lockId());
    this.chore =
        resources
            .schedule()
            .begin(new Chore("clearing", pace.every(), session, this::context, this))
            .dueIn(pace.first());
  }

  private boolean goesOn() {
    return !closed && !isPaused() && mayWrite.getAsBoolean();
  }

  private boolean isPaused() {
    return pauses.has(settings.lockId());
  }

  private LogContext context() {
    return LogContext.of(term.machine(), settings.name().value(), term.epoch());
  }

  @Override
  public void turn() {
    try {
      if (isPaused()) {
        waitsFor = null;
      } else if (goesOn()) {
        JdbcHandoffLeaves leaves = JdbcHandoffLeaves.on(session, settings.name(), term);
        List<Report> reports = clearing.turn(leaves, plan);
        waitsFor =
            reports.stream().filter(r -> !r.isCleared()).map(Report::why).findFirst().orElse(null);
        reports.forEach(this::tell);
        tidy(leaves);
      }
    } catch (DatabaseException e) {
      switch (e.kind()) {
        case BUSY, RIGHTS -> session.rollBack(); // The proofs of other logs there stay valid.
        default -> session.abort(); // The server rolls back what is open on it.
      }
      waitsFor = String.valueOf(e.getMessage());
      waits(NO_BLOCK, String.valueOf(e.getMessage()));
    } catch (RuntimeException bug) {
      log.error(
          LogEvent.BUG,
          "bug: clearing failed in an unforeseen way, and continues with the next term",
          bug);
      close();
    }
  }

  /**
   * Deletes rows of settled slots; a missing right or a lock must not cost other logs the proofs
   * they have on the same session.
   */
  private void tidy(JdbcHandoffLeaves leaves) {
    try {
      clearing.tidy(leaves, leaves.slots());
      lastTrouble = "";
    } catch (DatabaseException e) {
      switch (e.kind()) {
        case BUSY, RIGHTS -> slotsStay(String.valueOf(e.getMessage()));
        default -> throw e;
      }
    }
  }

  private void tell(Report report) {
    if (report.isCleared()) {
      lastWhy.remove(report.block());
      log.info(
          LogEvent.ROWS_CLEARED,
          "cleared {} recorded {}, {} MB: they stand {}",
          report.rows(),
          Plurals.word(report.rows(), "row", "rows"),
          report.bytes() >> 20,
          report.why());
    } else {
      waits(report.block(), report.why());
    }
  }

  private void slotsStay(String trouble) {
    if (!trouble.equals(lastTrouble) && goesOn()) {
      log.info(
          LogEvent.SLOT_ROWS_STAY, "rows of settled slots are kept for now, retrying: {}", trouble);
    }
    lastTrouble = trouble;
  }

  /** Why recorded rows stayed in the last turn; null if nothing kept them. For any thread. */
  @Nullable String waitsFor() {
    return waitsFor;
  }

  /** Logs each reason once per block, since the obstacle may be gone later. */
  private void waits(long block, String why) {
    if (goesOn() && !why.equals(lastWhy.put(block, why))) {
      log.info(LogEvent.ROWS_STAY, "recorded rows are kept for now, retrying: {}", why);
    }
  }

  /** Aborts the session: statements may last for an hour, and other logs need the session. */
  @Override
  public void abort() {
    session.abort();
  }

  @Override
  public void close() {
    closed = true;
    chore.close();
    room.close();
  }
}
