package dev.recorder.machine.term;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAnswer.Receipt;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.logging.Plurals;
import dev.recorder.machine.poll.RowSignal;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WriterProgress;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This host's knowledge of one term of a recorder while the term lasts: its last progress and its
 * present obstacle. Also logs the first settled slot, adoptions and outages.
 */
final class ActiveTerm implements TermObserver {
  private static final Logger log = LoggerFactory.getLogger(ActiveTerm.class);

  private final RowSignal signal;
  private final Term term;
  private final Ticker ticker;
  private final long begunAt;
  private final OutageLog database = new OutageLog(log, "the database");
  private final OutageLog bucket = new OutageLog(log, "S3");
  private final BlockedReason blockedReason = new BlockedReason();
  private volatile long progressAt;
  private volatile long ownProgressAt;
  private volatile long pausedAt;

  // Guarded by the driver's monitor, under which answers are observed.
  private final WriterProgress progress;
  private boolean settledOne;

  ActiveTerm(RowSignal signal, Term term, Ticker ticker) {
    this.signal = signal;
    this.term = term;
    this.ticker = ticker;
    this.begunAt = ticker.nanos();
    this.progress = new WriterProgress(begunAt);
    this.progressAt = begunAt;
    this.ownProgressAt = begunAt;
    this.pausedAt = begunAt;
  }

  /** Returns the context of log lines about the term. */
  LogContext context() {
    return LogContext.of(term.machine(), signal.recorder().value(), term.epoch());
  }

  @Override
  public void begins(Effect effect) {
    blockedReason.begins(effect, ticker.nanos());
  }

  /** What blocks the writer; null if nothing does. For any thread. */
  @Nullable String blockedReason() {
    return blockedReason.at(ticker.nanos());
  }

  /** The time from the term's beginning until the writer's last progress; for any thread. */
  Duration workedFor() {
    return Duration.ofNanos(progressAt - begunAt);
  }

  /**
   * When the writer last made progress, was seen to be idle, or was paused, in ticks; for any
   * thread.
   */
  long progressAt() {
    return latest(pausedAt, latest(signal.idleAt(), progressAt));
  }

  /**
   * The time since the writer itself made progress, even if no other host could do better; for any
   * thread.
   */
  Duration sinceOwnProgress() {
    return Duration.ofNanos(ticker.nanos() - latest(signal.idleAt(), ownProgressAt));
  }

  private static long latest(long one, long other) {
    return one - other > 0 ? one : other;
  }

  /**
   * Notes that the recorder is paused, so that no other host takes over even if a slot in flight
   * hangs.
   */
  void isPaused() {
    pausedAt = ticker.nanos();
  }

  @Override
  public void answered(Effect effect, Event event) {
    blockedReason.note(effect, event);
    boolean progressed = progress.note(effect, event, ticker.nanos());
    progressAt = progress.at();
    ownProgressAt = progress.ownProgressAt();
    try (LogContext context = context()) {
      reportOutages(effect, event);
      if (progressed) {
        blockedReason.isOver();
        database.isOver();
        bucket.isOver();
      }
      reportSlots(effect, event);
      tellStep(effect, event);
    }
  }

  /** Logs one step at DEBUG, to observe a single recorder. Rows and their keys are not logged. */
  private static void tellStep(Effect effect, Event event) {
    if (!log.isDebugEnabled()) {
      return;
    }
    @Nullable Long slot = effect instanceof Effect.OfSlot of ? (Long) of.slot() : null;
    @Nullable String why = event instanceof Event.Explained explained ? explained.why() : null;
    log.debug(
        LogEvent.STEP_DONE,
        "{}{}: {}{}",
        effect.getClass().getSimpleName(),
        slot == null ? "" : " of slot " + slot,
        event.getClass().getSimpleName(),
        why == null ? "" : ": " + why,
        slot,
        why);
  }

  private void reportOutages(Effect effect, Event event) {
    if (event instanceof Event.DatabaseUnclear unclear) {
      database.down(effect.getClass(), unclear.why());
    } else if (event instanceof Event.StoreUnclear unclear) {
      bucket.down(effect.getClass(), unclear.why());
    } else if (event instanceof Event.LeaseEnded) {
      return; // Nothing was tried.
    } else if (effect instanceof Effect.LedgerEffect) {
      database.up(effect.getClass());
    } else {
      bucket.up(effect.getClass());
    }
  }

  private void reportSlots(Effect effect, Event event) {
    if (event instanceof Event.Adopted adopted) {
      reportAdoption((Effect.Adopt) effect, adopted);
    } else if (event instanceof Event.Settled && !settledOne) {
      reportFirst(((Effect.Settle) effect).content().slot());
    }
  }

  private static String writerOf(ObjectMetadata object) {
    DatabaseIdentity database = object.database();
    return object.writer() + (database == null ? "" : " on " + database.name());
  }

  private void reportAdoption(Effect.Adopt adopt, Event.Adopted adopted) {
    ObjectMetadata object = adopt.object();
    long slot = adopted.head().lastSlot();
    if (adopted.by().byIdentity()) {
      log.warn(
          LogEvent.HISTORY_LOST,
          "this database has lost history: slot {}, which {} wrote, is in S3 but was never planned"
              + " here; adopted by row identity, {} of its {} {} in this database",
          slot,
          writerOf(object),
          adopted.by().rowsMatched(),
          adopted.by().rowsInObject(),
          Plurals.word(adopted.by().rowsInObject(), "row is", "rows are"));
    } else {
      log.info(LogEvent.SLOT_ADOPTED, "adopted slot {}, which was written and not settled", slot);
    }
    if (!object.chain().equals(adopted.head().chain())) {
      log.warn(
          LogEvent.CHAIN_BROKEN,
          "slot {}, which {} wrote in epoch {}, does not follow the slots before it: objects were"
              + " replaced or deleted since; it is adopted, and 'recorder verify' names it for good",
          slot,
          object.writer(),
          object.epoch());
    }
    if (!settledOne) {
      reportFirst(slot);
    }
  }

  private void reportFirst(long slot) {
    settledOne = true;
    log.info(
        LogEvent.FIRST_SLOT_SETTLED,
        "first slot {} settled {} ms into the term",
        slot,
        (ticker.nanos() - begunAt) / 1_000_000);
  }

  /** Logs the one line about a change of the active host. */
  static void announce(Logger log, Term term, Receipt receipt) {
    Long gap = receipt.gap() == null ? null : receipt.gap().toMillis();
    log.info(
        LogEvent.TERM_BEGAN,
        "active ({}): {} -> {}, epoch {} -> {}, silence {} ms{}; {}",
        receipt.reason(),
        receipt.from() == null ? "none" : receipt.from(),
        term.machine(),
        receipt.fromEpoch(),
        term.epoch(),
        receipt.silence().toMillis(),
        gap == null ? "" : ", gap " + gap + " ms",
        receipt.why(),
        gap);
  }
}
