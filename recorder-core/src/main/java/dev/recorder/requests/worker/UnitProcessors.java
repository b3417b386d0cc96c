package dev.recorder.requests.worker;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentWorker;
import dev.recorder.requests.document.RebuildingWorker;
import dev.recorder.requests.handlers.ExecHandler;
import dev.recorder.requests.handlers.HandlerThreads;
import dev.recorder.requests.handlers.HandlerWorker;
import dev.recorder.requests.handlers.Handlers;
import dev.recorder.s3.StoreCheck;
import dev.recorder.s3.StoreProbes;
import dev.recorder.schema.JdbcStoreViolations;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.Setup;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.StoreViolations;
import dev.recorder.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the processor of a recorder's requests by its configuration. */
public final class UnitProcessors {
  private static final String EXEC = "exec:";

  private final Function<RecorderName, DocumentStore> stores;
  private final StoreProbes tests;
  private final RdsManager manager;

  /**
   * Creates the processors of one host's recorders.
   *
   * @param stores gives the bucket of a recorder's documents
   * @param tests shared by all recorders that share a bucket
   */
  public UnitProcessors(
      Function<RecorderName, DocumentStore> stores, StoreProbes tests, RdsManager manager) {
    this.stores = stores;
    this.tests = tests;
    this.manager = manager;
  }

  /** The recorder's processor; a user's handler is not created yet. */
  UnitProcessor of(BackEndSettings settings, Setup.Row row) {
    String name = settings.handler();
    if (name.isEmpty()) {
      return new DocumentHandling(settings, row);
    } else if (name.startsWith(EXEC)) {
      Path program = Path.of(name.substring(EXEC.length()));
      return new ProgramHandling(
          new HandlerWorker(new ExecHandler(program, settings.effort().timeLimit())));
    }
    return new UsersHandling(name, settings.name(), new HandlerThreads(settings.name()));
  }

  /** A program; it needs no store of ours. */
  private record ProgramHandling(UnitWorker worker) implements UnitProcessor {
    @Override
    public String trouble() {
      return "";
    }
  }

  /** A user's handler. Creating it may take long, or never end. */
  private static final class UsersHandling implements UnitProcessor {
    private final String name;
    private final RecorderName recorder;
    private final HandlerThreads threads;
    private volatile @Nullable UnitWorker worker;

    UsersHandling(String name, RecorderName recorder, HandlerThreads threads) {
      this.name = name;
      this.recorder = recorder;
      this.threads = threads;
    }

    @Override
    public String trouble() {
      if (worker == null) {
        worker = new HandlerWorker(Handlers.installed().create(name, recorder));
      }
      return "";
    }

    @Override
    public UnitWorker worker() {
      return Objects.requireNonNull(worker, "the handler is yet to be made");
    }

    @Override
    public ThreadGroup threads() {
      return threads;
    }
  }

  /** A built-in handler, usable once its store has been tested. */
  private final class DocumentHandling implements UnitProcessor {
    private final UnitWorker worker;
    private final StoreCheck check;
    private final int lockId;
    private final PinnedLayout place;
    private volatile boolean created;

    DocumentHandling(BackEndSettings settings, Setup.Row row) {
      DocumentStore store = stores.apply(settings.name());
      StoreViolations races = JdbcStoreViolations.of(manager, settings.layout().place());
      this.worker = worker(settings, store);
      this.check =
          new StoreCheck(
              store,
              () -> tests.verdictForDocuments(store, settings.layout().folder(), races),
              settings.layout().identity(row.log()),
              this::noteCreated);
      this.lockId = settings.lockId();
      this.place = BackEndSettings.pinned(settings.layout());
      this.created = row.logCreated();
    }

    private static UnitWorker worker(BackEndSettings settings, DocumentStore store) {
      Duration limit = settings.effort().timeLimit();
      EntityQuery query = settings.entityQuery();
      return query == null
          ? new DocumentWorker(
              store,
              settings.layout(),
              new DocumentLimits((int) settings.maxPayload(), limit),
              Ticker.system())
          : new RebuildingWorker(store, settings.layout(), query, limit, Ticker.system());
    }

    @Override
    public String trouble() {
      return check.trouble(created);
    }

    @Override
    public UnitWorker worker() {
      return worker;
    }

    private String noteCreated() {
      try {
        String elsewhere = Setup.logCreated(manager, lockId, place);
        created = elsewhere.isEmpty();
        return elsewhere;
      } catch (DatabaseException e) {
        return "the store's identity could not be noted: " + e.getMessage();
      }
    }
  }
}
