package dev.recorder.machine.term;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.CaptureWatch;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.slotlog.postgres.TickStatement;
import dev.recorder.table.TableSettings;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work for a log beside its writer, for one term: ticks, looks at captures, clearing,
 * verification, and the table in the bucket, each if the settings want it. Created and closed on
 * the control loop's thread; the work runs elsewhere.
 */
final class TermChores implements AutoCloseable {
  private final RecorderSettings settings;
  private final CaptureWatch captures;
  private final @Nullable ScheduledChore timer;
  private final @Nullable TermClearing clearing;
  private final TermVerification verification;
  private final @Nullable TermTable table;

  /**
   * Begins the work.
   *
   * @param mayWrite whether the term continues, as of now
   */
  TermChores(
      RecorderWorker worker, Term term, SharedResources resources, BooleanSupplier mayWrite) {
    settings = worker.settings();
    captures = resources.captures();
    timer = timer(worker, term, resources, mayWrite);
    captures.begin(settings.name(), term, mayWrite);
    clearing = clearing(worker, term, resources, mayWrite);
    verification = new TermVerification(worker, term, resources);
    TableSettings wanted = settings.table();
    table = wanted == null ? null : new TermTable(worker, term, wanted, resources, mayWrite);
  }

  private static @Nullable ScheduledChore timer(
      RecorderWorker worker, Term term, SharedResources resources, BooleanSupplier mayWrite) {
    RecorderSettings settings = worker.settings();
    Duration interval = settings.tickEvery();
    if (interval == null) {
      return null;
    }
    TickStatement tick = new TickStatement(worker.session(), settings.name());
    Chore chore =
        new Chore(
            "a tick",
            interval,
            worker.session(),
            () -> LogContext.of(term.machine(), settings.name().value(), term.epoch()),
            () -> {
              if (mayWrite.getAsBoolean()) {
                tick.insert();
              }
            });
    return resources.schedule().begin(chore);
  }

  private static @Nullable TermClearing clearing(
      RecorderWorker worker, Term term, SharedResources resources, BooleanSupplier mayWrite) {
    RecorderSettings settings = worker.settings();
    Duration history = settings.history();
    if (history == null) {
      return null;
    }
    ClearingPlan plan = new ClearingPlan(history, settings.historyBlock());
    return new TermClearing(worker, term, plan, resources, mayWrite);
  }

  /** What the clearing waits for; null if for nothing. For any thread. */
  @Nullable String clearingWaitsFor() {
    return clearing == null ? null : clearing.waitsFor();
  }

  /** Why the table is behind the log; null if it is not, or there is none. For any thread. */
  @Nullable String tableTrouble() {
    return table == null ? null : table.trouble();
  }

  @Override
  public void close() {
    captures.end(settings.name());
    if (timer != null) {
      timer.close();
    }
    if (clearing != null) {
      clearing.close();
    }
    verification.close();
    if (table != null) {
      table.close();
    }
  }
}
