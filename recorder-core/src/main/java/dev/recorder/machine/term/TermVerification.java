package dev.recorder.machine.term;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.audit.postgres.AuditSession;
import dev.recorder.audit.postgres.JdbcVerdictStore;
import dev.recorder.audit.schedule.AuditVerdict;
import dev.recorder.audit.schedule.ScheduledAudit;
import dev.recorder.audit.schedule.VerdictStore.Noted;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Plurals;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies a log during one term, whenever a verification is due or ordered. It looks on the
 * session for captures, and verifies on a thread and sessions that do not record, one log after the
 * other. When the term ends, the current verification ends without a verdict. Without a table for
 * verdicts no log is verified.
 */
final class TermVerification implements ChoreWork, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TermVerification.class);

  /** Pause after a failed verification, unless an operator orders the next one. */
  static final Duration AFTER_FAILURE = Duration.ofMinutes(10);

  private final RecorderWorker worker;
  private final Term term;
  private final SharedResources resources;
  private final ClearingRoom room;
  private final AuditSession session;
  private final @Nullable Duration every;
  private final Ticker ticker = Ticker.system();
  private final ScheduledChore looks;
  private volatile boolean closed;
  private volatile boolean verifies;

  // Used by one turn at a time; each turn sees the effects of the turn before.
  private volatile boolean scheduled;
  private volatile boolean failed;
  private volatile long failedAt;
  private volatile @Nullable String toNote;

  /** The order for which the last verification was begun; 0 if there was none. */
  private volatile long begunFor;

  private volatile String lastTrouble = "";

  TermVerification(RecorderWorker worker, Term term, SharedResources resources) {
    RecorderSettings settings = worker.settings();
    this.worker = worker;
    this.term = term;
    this.resources = resources;
    this.every = settings.verifyEvery();
    this.room = new ClearingRoom(resources.memory(), this::goesOn, ticker);
    this.session = new AuditSession(resources.sessions(), settings.name(), term);
    long usual = AuditPace.lookEvery(every == null ? Duration.ZERO : every).toMillis();
    ClearingTurns pace = new ClearingTurns(usual, resources.recorders(), settings.lockId());
    Chore look =
        new Chore(
            "a look for verifications", pace.every(), resources.capturing(), this::context, this);
    this.looks = resources.schedule().begin(look).dueIn(pace.first());
  }

  private boolean goesOn() {
    return !closed;
  }

  private LogContext context() {
    return LogContext.of(term.machine(), worker.settings().name().value(), term.epoch());
  }

  /** Looks, unless a verification is under way. */
  @Override
  public void turn() {
    if (!verifies && goesOn() && isDue(resources.capturing())) {
      verifies = true;
      if (!resources.schedule().hand(resources.verifying(), this::verifyInContext)) {
        verifies = false;
      }
    }
  }

  private void verifyInContext() {
    try (LogContext context = context()) {
      verify();
    }
  }

  private boolean isDue(DataSession lent) {
    JdbcVerdictStore verdictStore = JdbcVerdictStore.on(lent, term);
    if (every == null) {
      verdictStore.unschedule();
      looks.close();
      return false;
    }
    if (!scheduled) {
      verdictStore.schedule(every);
      scheduled = true;
    }
    String why = toNote;
    if (why != null) {
      verdictStore.unfinished(why);
      toNote = null;
    }
    Noted noted = verdictStore.look();
    boolean begins = (noted.isDue() || noted.asked() > 0) && isRested(noted.asked());
    if (begins) {
      begunFor = noted.asked();
    }
    return begins;
  }

  /**
   * Whether a new verification may begin after a failure. A new order may begin one at once, since
   * its operator may have removed the cause.
   */
  private boolean isRested(long asked) {
    return !failed
        || ticker.nanos() - failedAt >= AFTER_FAILURE.toNanos()
        || !(asked == 0 || asked == begunFor);
  }

  @Override
  public void failed(DatabaseException e, boolean isNew) {
    if (e.kind() != DatabaseErrorKind.RIGHTS) {
      resources.capturing().abort();
    } else if (every == null) {
      looks.close();
    } else if (isNew) {
      log.warn(LogEvent.VERIFYING_NOT_APPLIED, "verify_every is not applied: {}", e.getMessage());
    }
  }

  private void verify() {
    try {
      AuditSession.AuditStores stores = session.open();
      LogVerifier verifier =
          new LogVerifier(
              worker.bucket(), worker.settings().layout(), stores.records(), session.rows(), room);
      new ScheduledAudit(verifier, stores.records(), stores.verdicts())
          .run(new AuditPace(this::goesOn, ticker))
          .ifPresent(this::tell);
      failed = false;
      lastTrouble = "";
    } catch (UnfinishedException | DatabaseException | UnreadableSlotException e) {
      unfinished(String.valueOf(e.getMessage()));
    } catch (RuntimeException bug) {
      if (goesOn()) {
        log.error(LogEvent.BUG, "bug: verifying the log failed in an unforeseen way", bug);
        unfinished(bug.toString());
      }
    } finally {
      session.rest();
      room.of(0);
      verifies = false;
    }
  }

  private void unfinished(String why) {
    if (!goesOn()) {
      return; // This is intended: the next active host begins the verification again.
    }
    failedAt = ticker.nanos();
    failed = true;
    toNote = why;
    if (!why.equals(lastTrouble)) {
      lastTrouble = why;
      log.warn(
          LogEvent.VERIFYING_UNFINISHED, "the log could not be verified, trying again: {}", why);
    }
  }

  private void tell(AuditVerdict verdict) {
    AuditResult result = verdict.result();
    if (result.ok()) {
      log.info(
          LogEvent.LOG_VERIFIED,
          "verified slots {} to {}: no faults in {} {}, {} of them compared with the table",
          verdict.from(),
          verdict.to(),
          result.rows(),
          Plurals.word(result.rows(), "row", "rows"),
          result.compared());
    } else {
      long faults = result.findings().size() + result.moreFindings();
      log.error(
          LogEvent.LOG_HAS_FAULTS,
          "verifying slots {} to {} has found {} {}, the first: {}",
          verdict.from(),
          verdict.to(),
          faults,
          Plurals.word(faults, "fault", "faults"),
          result.findings().get(0));
    }
  }

  /** Ends the current verification. */
  @Override
  public void close() {
    closed = true;
    looks.close();
    session.close();
    room.close();
  }
}
