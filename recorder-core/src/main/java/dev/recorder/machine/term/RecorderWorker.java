package dev.recorder.machine.term;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAnswer.Receipt;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.postgres.CurrentTerm;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.poll.RowSignal;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.Ending;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.SlotWriter;
import dev.recorder.slotlog.WriterPolicy;
import dev.recorder.slotlog.postgres.JdbcLedger;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One recorder on this host: a standby that becomes a writer for the length of a term. Methods are
 * called on the control loop's thread, unless stated otherwise.
 */
public final class RecorderWorker {
  private static final Logger log = LoggerFactory.getLogger(RecorderWorker.class);

  private final String machine;
  private final RecorderSettings settings;
  private final ObjectStore bucket;
  private final SharedResources resources;
  private final TermReport report;
  private final LogMetrics metrics;

  // Used by the control loop's thread only.
  private @Nullable WriterDriver driver;
  private @Nullable ActiveTerm active;
  private @Nullable TermChores chores;
  private @Nullable JdbcLedger lastLedger;
  private long epoch;

  /** Whether no term may begin any more. */
  private boolean stopped;

  private volatile Phase phase = Phase.STANDBY;

  /** The phases of a term. */
  private enum Phase {
    STANDBY,
    WORKING,
    /** The slot in progress is being settled. */
    STOPPING,
    /** The work has ended, and the coordinator gives the term back. */
    RELEASING
  }

  /** Receives a worker's reports; called on any thread. */
  @FunctionalInterface
  public interface TermReport {
    void ended(int lockId, long epoch, Ending ending);
  }

  public RecorderWorker(
      String machine,
      RecorderSettings settings,
      ObjectStore bucket,
      SharedResources resources,
      TermReport report) {
    this.machine = machine;
    this.settings = settings;
    this.bucket = bucket;
    this.resources = resources;
    this.report = report;
    this.metrics = resources.metrics().log(settings.name().value());
  }

  public RecorderSettings settings() {
    return settings;
  }

  ObjectStore bucket() {
    return bucket;
  }

  public LogMetrics metrics() {
    return metrics;
  }

  /** The epoch of this worker's last term. */
  public long epoch() {
    return epoch;
  }

  /**
   * Begins a term, since the recorder's lock was granted.
   *
   * @param mayWrite whether a write may be started, as of now
   * @return whether the term must be given back, since it was granted after {@link #stop}
   */
  public boolean begin(Term term, Receipt receipt, BooleanSupplier mayWrite, Ticker ticker) {
    epoch = term.epoch();
    String reason = receipt.reason().toString();
    metrics.tookOver(reason, epoch, receipt.gap());
    resources.metrics().gap(reason, receipt.gap());
    if (stopped) {
      return true;
    }
    if (phase == Phase.STANDBY) {
      phase = Phase.WORKING;
      startWork(term, receipt, mayWrite, ticker);
    }
    return false;
  }

  private void startWork(Term term, Receipt receipt, BooleanSupplier mayWrite, Ticker ticker) {
    try (LogContext context = context()) {
      ActiveTerm.announce(log, term, receipt);
    }
    RowSignal signal = resources.poller().signal(settings.name());
    JdbcLedger ledger = ledger(term);
    lastLedger = ledger;
    ActiveTerm begins = new ActiveTerm(signal, term, ticker);
    active = begins;
    metrics.writes(mayWrite, begins::progressAt);
    WriterDriver begun =
        new WriterDriver(
            new SlotWriter(WriterPolicy.withLinger(settings.linger())),
            new WriterDriver.Lanes(session(), resources.store(), resources.timer(), ticker),
            new WriterDriver.TermWork(ledger, store(term), signal, mayWrite, begins::context),
            new MeasuredTerm(begins, metrics, ticker),
            ending -> report.ended(settings.lockId(), term.epoch(), ending));
    driver = begun;
    begun.start();
    chores = new TermChores(this, term, resources, mayWrite);
  }

  private void endChores() {
    TermChores current = chores;
    chores = null;
    if (current != null) {
      current.close();
    }
  }

  /** Whether the recorder has no term here; for any thread. */
  public boolean standsBy() {
    return phase == Phase.STANDBY;
  }

  /** The session that reads and settles for this recorder. */
  DataSession session() {
    return resources.session(settings.lockId());
  }

  /**
   * Runs a {@link Preflight}, so that a takeover is quick. On the data session's thread.
   *
   * @return why a term could not work here; empty if it could
   */
  String preflight(UUID log) {
    Term never = new Term(settings.lockId(), Preflight.NO_EPOCH, machine, log);
    Preflight preflight = new Preflight(settings, ledger(never), store(never));
    try {
      String trouble =
          CurrentTerm.of(session(), settings.lockId())
              .map(term -> read(preflight, term))
              .orElse("the recorder has no row in lock_recorders");
      return trouble.isEmpty() ? preflight.write(session().name()) : trouble;
    } catch (DatabaseException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The database of the last term; empty if the term reached none. */
  public Optional<DatabaseIdentity> lastDatabase() {
    JdbcLedger last = lastLedger;
    return last == null ? Optional.empty() : last.database();
  }

  /** Returns the database that a session reaches now. On the data session's thread. */
  Optional<DatabaseIdentity> reached(UUID log) {
    try (JdbcLedger never = ledger(new Term(settings.lockId(), Preflight.NO_EPOCH, machine, log))) {
      never.load();
      return never.database();
    }
  }

  /** The rows are discarded, and their memory is released. */
  private String read(Preflight preflight, Term term) {
    try (JdbcLedger current = ledger(term)) {
      return preflight.read(current);
    }
  }

  /** How long the ending term has worked. */
  public Duration workedFor() {
    ActiveTerm ending = active;
    return ending == null ? Duration.ZERO : ending.workedFor();
  }

  /** Tells the coordinator when the writer last made progress. */
  public void noteProgress(Coordinator coordinator) {
    ActiveTerm current = active;
    if (current != null) {
      if (resources.pauses().has(settings.lockId())) {
        current.isPaused();
      }
      coordinator.noteProgress(settings.lockId(), epoch, current.progressAt());
    }
  }

  /** What blocks the current term; null if nothing does, or there is no term. */
  public @Nullable String blockedReason() {
    ActiveTerm current = active;
    return current == null ? null : current.blockedReason();
  }

  /** How long the current term has made no progress, for whatever reason; zero without a term. */
  public Duration sinceOwnProgress() {
    ActiveTerm current = active;
    return current == null ? Duration.ZERO : current.sinceOwnProgress();
  }

  /** What the clearing of the hand-off table waits for; null if for nothing. */
  public @Nullable String clearingWaitsFor() {
    TermChores current = chores;
    return current == null ? null : current.clearingWaitsFor();
  }

  /** Why the table in the bucket is behind the log; null if it is not, or there is none. */
  public @Nullable String tableTrouble() {
    TermChores current = chores;
    return current == null ? null : current.tableTrouble();
  }

  private JdbcLedger ledger(Term term) {
    return new JdbcLedger(
        session(),
        term,
        settings.name(),
        resources.form(settings),
        new SlotReader(bucket, settings.layout()));
  }

  private SlotStore store(Term term) {
    return new SlotStore(bucket, settings.layout(), term);
  }

  /** Leaves the term: the slot in progress is settled, and no other begins. */
  public void leave(long leftEpoch, String why) {
    if (driver != null && leftEpoch == epoch) {
      try (LogContext context = context()) {
        log.info(LogEvent.HANDING_OVER, "handing over: {}", why);
      }
      stopWork();
    }
  }

  /** Leaves the current term, as {@link #leave}; no term begins from now on. */
  public void stop() {
    stopped = true;
    stopWork();
  }

  private void stopWork() {
    WriterDriver current = driver;
    if (phase == Phase.WORKING && current != null) {
      phase = Phase.STOPPING;
      endChores();
      current.stop();
    }
  }

  /**
   * Notes that the writer has ended.
   *
   * @return whether to release the term now
   */
  public boolean ended(long endedEpoch) {
    boolean releases = endedEpoch == epoch && (phase == Phase.WORKING || phase == Phase.STOPPING);
    if (releases) {
      phase = Phase.RELEASING;
    }
    return releases;
  }

  /** Ends the term: nothing more is started. */
  public void end(long endedEpoch, String why) {
    WriterDriver current = driver;
    if (current == null || endedEpoch != epoch) {
      return;
    }
    driver = null;
    active = null;
    endChores();
    current.close();
    metrics.ended();
    phase = Phase.STANDBY;
    try (LogContext context = context()) {
      log.info(LogEvent.TERM_ENDED, "standby: term {} has ended: {}", endedEpoch, why);
    }
  }

  public void standingBy(String why) {
    try (LogContext context = context()) {
      log.info(LogEvent.STANDING_BY, "standby: {}", why);
    }
  }

  private LogContext context() {
    return LogContext.of(machine, settings.name().value(), epoch);
  }
}
