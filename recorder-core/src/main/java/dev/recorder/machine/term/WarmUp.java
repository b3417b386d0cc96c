package dev.recorder.machine.term;

import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a standby do what a takeover does, to no effect, until the virtual machine has compiled it:
 * what runs for the first time takes several times as long.
 *
 * <p>{@value SharedResources#ROUNDS_OF_WARM_UP} rounds in a process, however many recorders it has,
 * since they share their code; each is some calls of the database and three of the store, a quarter
 * of a second behind the one before. A round that takes longer than {@value #LONGEST_MILLIS} ms is
 * the last: what it waits for is no code, and others use the same session.
 */
final class WarmUp {
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final long LONGEST_MILLIS = 250;
  private static final long NEVER_A_SLOT = Long.MAX_VALUE;
  private static final Ticker TICKER = Ticker.system();
  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

  private final RecorderWorker worker;
  private final SharedResources resources;
  private final String machine;
  private final UUID logId;

  WarmUp(RecorderWorker worker, SharedResources resources, String machine, UUID logId) {
    this.worker = worker;
    this.resources = resources;
    this.machine = machine;
    this.logId = logId;
  }

  /** Begins the next round, if one is left. Returns at once, on any thread. */
  void next() {
    if (worker.standsBy() && resources.roundsOfWarmUp().getAndDecrement() > 0) {
      resources.schedule().handIn(PAUSE, resources.store(), () -> foreseen(this::askStore));
    }
  }

  /** It must not harm what it is for. */
  private static void foreseen(Runnable round) {
    try {
      round.run();
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: a warm-up failed in an unforeseen way, and was abandoned", bug);
    }
  }

  private void askStore() {
    if (!worker.standsBy()) {
      return;
    }
    RecorderSettings settings = worker.settings();
    Term never = new Term(settings.lockId(), Preflight.NO_EPOCH, machine, logId);
    SlotStore store = new SlotStore(worker.bucket(), settings.layout(), never);
    long begun = TICKER.nanos();
    try (LogContext context = LogContext.of(machine, settings.name().value(), 0)) {
      settings.layout().identity(logId).probe(worker.bucket());
      store.look(NEVER_A_SLOT);
      store.look(NEVER_A_SLOT);
    }
    resources.schedule().hand(worker.session(), () -> foreseen(() -> askDatabase(begun)));
  }

  private void askDatabase(long begun) {
    String trouble;
    try (LogContext context = LogContext.of(machine, worker.settings().name().value(), 0)) {
      trouble = worker.standsBy() ? worker.preflight(logId) : "";
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(TICKER.nanos() - begun);
    if (trouble.isEmpty() && millis <= LONGEST_MILLIS) {
      next();
    }
  }
}
