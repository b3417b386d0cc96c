package dev.recorder.machine.term;

import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Plurals;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogReadException;
import dev.recorder.slotlog.postgres.SettledRange;
import dev.recorder.table.LogAddress;
import dev.recorder.table.LogTable;
import dev.recorder.table.LogTable.TableProgress;
import dev.recorder.table.TableException;
import dev.recorder.table.TableSettings;
import dev.recorder.table.parquet.ParquetFormat;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a log's table up to date during one term. It reads the log's end on the session for
 * captures, and writes on a thread that does not record, one log after the other. The log does not
 * wait for the table, and failed work is repeated. Work in progress at the term's end still
 * finishes its commit. Another host may write the table by then, which is harmless.
 */
final class TermTable implements ChoreWork, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TermTable.class);

  /** Pause before the next try when the heap has no room. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final String NO_LIBRARY =
      "table = delta needs the library org.apache.parquet:parquet-hadoop, which is not on the class"
          + " path, or not whole";

  private final RecorderSettings settings;
  private final Term term;
  private final LogAddress address;
  private final TableSettings wanted;
  private final SharedResources resources;
  private final BooleanSupplier mayWrite;
  private final ScheduledChore looks;
  private volatile boolean closed;
  private volatile boolean works;
  private volatile @Nullable String trouble;

  // Used by one turn at a time; each turn sees the effects of the turn before.
  private volatile @Nullable LogTable table;
  private volatile long covered = -1;
  private volatile boolean misfitsTold;
  private volatile long skippedTold;

  TermTable(
      RecorderWorker worker,
      Term term,
      TableSettings wanted,
      SharedResources resources,
      BooleanSupplier mayWrite) {
    this.settings = worker.settings();
    this.term = term;
    this.address = new LogAddress(worker.bucket(), settings.layout(), term.log());
    this.wanted = wanted;
    this.resources = resources;
    this.mayWrite = mayWrite;
    ClearingTurns pace =
        new ClearingTurns(wanted.interval().toMillis(), resources.recorders(), settings.lockId());
    Chore look =
        new Chore("a look for the table", pace.every(), resources.capturing(), this::context, this);
    this.looks = resources.schedule().begin(look).dueIn(pace.first());
  }

  private boolean goesOn() {
    return !closed && mayWrite.getAsBoolean();
  }

  private LogContext context() {
    return LogContext.of(term.machine(), settings.name().value(), term.epoch());
  }

  /** Why the table is behind the log; null if nothing is in the way. For any thread. */
  @Nullable String trouble() {
    return trouble;
  }

  @Override
  public void turn() {
    if (!works && goesOn()) {
      SettledRange.of(resources.capturing(), term)
          .filter(slots -> slots.last() > covered)
          .ifPresent(this::hand);
    }
  }

  private void hand(SettledRange slots) {
    works = true;
    if (!resources.schedule().hand(resources.tabling(), () -> workInContext(slots))) {
      works = false;
    }
  }

  @Override
  public void failed(DatabaseException why, boolean isNew) {
    resources.capturing().abort(); // An unreachable database is logged elsewhere.
  }

  private void workInContext(SettledRange slots) {
    MemoryBudget.Share share = resources.memory().share();
    try (LogContext context = context()) {
      work(slots, share);
    } finally {
      share.release();
      works = false;
    }
  }

  private void work(SettledRange slots, MemoryBudget.Share share) {
    try {
      long slot = Math.min(2 * settings.rotation().bytes(), resources.memory().limit() / 2);
      if (!share.growTo(slot)) {
        share.takeTurn();
        looks.dueIn(SOON);
        return;
      }
      LogTable open = table;
      if (open == null) {
        String writer = term.machine() + ", term " + term.epoch();
        open = new LogTable(address, wanted, new ParquetFormat(), writer);
        table = open;
      }
      TableProgress progress =
          open.bringUpTo(
              slots.first(),
              slots.last(),
              this::goesOn,
              bytes -> goesOn() && share.growTo(slot + bytes));
      covered = progress.covered();
      tell(progress);
    } catch (TableException | LogReadException e) {
      fails(String.valueOf(e.getMessage()));
    } catch (LinkageError missing) {
      fails(NO_LIBRARY + ": " + missing.getMessage());
    } catch (RuntimeException bug) {
      table = null; // Its state may be wrong, and is read from the bucket again.
      if (goesOn()) {
        log.error(
            LogEvent.BUG, "bug: writing the table failed in an unforeseen way, trying again", bug);
        trouble = bug.toString();
      }
    }
  }

  private void fails(String why) {
    if (goesOn() && !why.equals(trouble)) {
      log.warn(LogEvent.TABLE_LATE, "the table is behind the log, trying again: {}", why);
      trouble = why;
    }
  }

  private void tell(TableProgress progress) {
    if (trouble != null) {
      trouble = null;
      log.info(
          LogEvent.TABLE_UP_TO_DATE,
          "the table has slots up to {} now, in commit {}",
          progress.covered(),
          progress.version());
    }
    if (progress.misfits() > 0 && !misfitsTold) {
      misfitsTold = true;
      log.info(
          LogEvent.TABLE_VALUES_DO_NOT_FIT,
          "{} {} not fit the typed columns of the table, and are null there; commits have the"
              + " numbers from now on",
          progress.misfits(),
          Plurals.word(progress.misfits(), "value does", "values do"));
    }
    if (progress.skipped() > skippedTold) {
      log.warn(
          LogEvent.TABLE_LACKS_SLOTS,
          "{} {} expired before the table had them, and are not in it",
          progress.skipped() - skippedTold,
          Plurals.word(progress.skipped() - skippedTold, "slot", "slots"));
      skippedTold = progress.skipped();
    }
  }

  @Override
  public void close() {
    closed = true;
    looks.close();
  }
}
