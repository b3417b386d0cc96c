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
 * Has a standby run the steps of a takeover, without effect, until the JVM has compiled their code.
 * The first runs take several times as long.
 *
 * <p>A process runs {@value SharedResources#ROUNDS_OF_WARM_UP} rounds in all, however many
 * recorders it has, since they share the code. A round is a few calls of the database and three of
 * the store, and starts a quarter of a second after the previous one. A round that takes longer
 * than {@value #LONGEST_MILLIS} ms is the last, since it then waits for database or store, and
 * others use the same session.
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

  /** Starts the next round, if one is left. Returns at once, on any thread. */
  void next() {
    if (worker.standsBy() && resources.roundsOfWarmUp().getAndDecrement() > 0) {
      resources.schedule().handIn(PAUSE, resources.store(), () -> foreseen(this::askStore));
    }
  }

  /** Runs a round and only logs its bugs, since a warm-up must not harm its recorder. */
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
