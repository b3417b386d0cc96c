package dev.recorder.machine.term;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.s3.StoreCheck;
import dev.recorder.schema.JdbcStoreViolations;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.Setup;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreViolations;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether this host is able to take a recorder: the store honours conditional writes and
 * holds this database's log, and rows can be read. Until then the host stays a standby, even if no
 * other host is there. Repeats every {@value #RETRY_SECONDS} s until the host is able.
 */
public final class Preparation {
  private static final Logger log = LoggerFactory.getLogger(Preparation.class);
  private static final long RETRY_SECONDS = 2;
  private static final int MOST_DOUBLINGS = 5;
  private static final Duration A_WHILE = Duration.ofMinutes(2);

  private final RecorderWorker worker;
  private final RecorderSettings settings;
  private final ObjectStore bucket;
  private final Setup.Row row;
  private final RdsManager manager;
  private final SharedResources resources;
  private final Predicate<String> onFinding;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final AtomicInteger failedTerms = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();
  private volatile boolean logCreated;
  private volatile boolean dropped;
  private final StoreViolations lostRaces;

  private volatile String lastRules = "";
  private volatile String lastArchive = "";

  /**
   * Creates a preparation that is not started.
   *
   * @param onFinding takes the reason why the host is unable, empty once it is able, and returns
   *     whether that is news
   */
  public Preparation(
      RecorderWorker worker,
      Setup.Row row,
      RdsManager manager,
      SharedResources resources,
      Predicate<String> onFinding) {
    this.worker = worker;
    this.settings = worker.settings();
    this.bucket = worker.bucket();
    this.row = row;
    this.manager = manager;
    this.resources = resources;
    this.onFinding = onFinding;
    this.logCreated = row.logCreated();
    this.lostRaces = JdbcStoreViolations.of(manager, settings.layout().place());
  }

  /** The log that the recorder's row names. */
  public UUID log() {
    return row.log();
  }

  /** Starts the check, or starts it again; no effect while a check is running. */
  public void start() {
    starts.incrementAndGet();
    if (underWay.compareAndSet(false, true)) {
      checkIn(0);
    }
  }

  /**
   * Starts the check again after a term that failed unforeseen. The delay doubles with each such
   * term, up to about a minute, so that a repeated failure does not move from host to host without
   * a rest. A term that worked for longer than two minutes resets the delay.
   */
  public void startAfterFailure(Duration worked) {
    if (worked.compareTo(A_WHILE) > 0) {
      failedTerms.set(0);
    }
    if (underWay.compareAndSet(false, true)) {
      checkIn(RETRY_SECONDS << Math.min(MOST_DOUBLINGS, failedTerms.getAndIncrement()));
    }
  }

  /**
   * Runs {@code reached} once a session reaches a database other than {@code refused}, since a
   * former server may briefly answer under the same name. Ends with the next start.
   */
  public void awaitAnotherThan(DatabaseIdentity refused, Runnable reached) {
    lookForAnotherThan(refused, starts.get(), reached);
  }

  private void lookForAnotherThan(DatabaseIdentity refused, int start, Runnable reached) {
    Runnable look =
        () -> {
          if (dropped || starts.get() != start) {
            return; // The recorder was checked again meanwhile.
          }
          Optional<DatabaseIdentity> here = worker.reached(row.log());
          if (here.isEmpty() || here.get().equals(refused)) {
            lookForAnotherThan(refused, start, reached);
          } else {
            reached.run();
          }
        };
    resources
        .schedule()
        .handIn(Duration.ofSeconds(RETRY_SECONDS), worker.session(), () -> inContext(look));
  }

  private void checkIn(long seconds) {
    Runnable check = () -> inContext(() -> proceed(storeTrouble()));
    resources.schedule().handIn(Duration.ofSeconds(seconds), resources.store(), check);
  }

  private void proceed(String trouble) {
    if (trouble.isEmpty()) {
      // Also opens the data session and loads the classes, so that a takeover waits for neither.
      resources.schedule().hand(worker.session(), () -> inContext(() -> conclude(readTrouble())));
    } else {
      conclude(trouble);
    }
  }

  private void inContext(Runnable work) {
    try (LogContext context = LogContext.of(manager.machine(), settings.name().value(), 0)) {
      try {
        work.run();
      } catch (RuntimeException bug) {
        if (conclude("internal error: " + bug)) {
          log.error(
              LogEvent.BUG, "bug: a check of what a term needs failed in an unforeseen way", bug);
        }
      }
    }
  }

  /** Ends all checks, since the recorder was removed or is replaced. */
  public void drop() {
    dropped = true;
  }

  /** Reports the result; returns whether it is news. */
  private boolean conclude(String trouble) {
    if (dropped) {
      return false;
    }
    if (trouble.isEmpty()) {
      log.info(LogEvent.ABLE, "able to take it: the store passed its test and holds this log");
      underWay.set(false);
      boolean isNews = onFinding.test("");
      resources.schedule().hand(resources.store(), this::warnOfRules);
      new WarmUp(worker, resources, manager.machine(), row.log()).next();
      return isNews;
    }
    if (resources.timer().isShutdown()) {
      return false; // The host is stopping, which causes the trouble.
    }
    boolean isNews = onFinding.test(trouble);
    if (isNews) {
      log.error(
          LogEvent.NOT_ABLE,
          "not able to take it, checking again every {} s: {}",
          RETRY_SECONDS,
          trouble);
    }
    checkIn(RETRY_SECONDS);
    return isNews;
  }

  /**
   * Warns of lifecycle rules, once for the same rules. Runs after the check, so that no takeover
   * waits for it.
   */
  private void warnOfRules() {
    try (LogContext context = LogContext.of(manager.machine(), settings.name().value(), 0)) {
      lookAtRules();
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: the lifecycle rules could not be looked at", bug);
    }
  }

  private void lookAtRules() {
    String folder = settings.layout().folder();
    String rules = String.join(", ", bucket.expiringRules(folder));
    if (!rules.isEmpty() && !rules.equals(lastRules)) {
      log.warn(
          LogEvent.OBJECTS_EXPIRE,
          "lifecycle rules of bucket {} let objects of {} expire: {}; raise the log's floor before"
              + " objects go, or a takeover finds its last slot missing",
          settings.layout().bucket(),
          folder,
          rules);
    }
    lastRules = rules;
    String archive = String.join(", ", bucket.archivingRules(folder));
    if (!archive.isEmpty() && !archive.equals(lastArchive)) {
      log.warn(
          LogEvent.OBJECTS_ARCHIVED,
          "lifecycle rules of bucket {} archive objects of {}: {}; archived objects cannot be read,"
              + " and their rows not cleared, until they are restored",
          settings.layout().bucket(),
          folder,
          archive);
    }
    lastArchive = archive;
  }

  /** Returns why the store cannot be used, or objects cannot be packed; empty if all is well. */
  private String storeTrouble() {
    StoreCheck check =
        new StoreCheck(
            bucket,
            () -> resources.probes().verdict(bucket, settings.layout().folder(), lostRaces),
            settings.layout().identity(row.log()),
            this::noteCreated);
    String obstacle = settings.layout().compression().obstacle();
    return obstacle.isEmpty() ? check.trouble(logCreated) : obstacle;
  }

  private String readTrouble() {
    return worker.preflight(row.log());
  }

  private String noteCreated() {
    try {
      String elsewhere =
          Setup.logCreated(manager, row.lockId(), PinnedLayout.of(settings.layout()));
      logCreated = elsewhere.isEmpty();
      return elsewhere;
    } catch (DatabaseException e) {
      return "the log's creation could not be noted: " + e.getMessage();
    }
  }
}
