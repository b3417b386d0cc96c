package dev.recorder.machine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.machine.MachineLoop.MachineDependencies;
import dev.recorder.machine.chores.OrderWatch;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.orders.MachineOrder;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.worker.BackEnds;
import dev.recorder.requests.worker.UnitProcessors;
import dev.recorder.schema.ServerInfo;
import dev.recorder.schema.ServerQueries;
import dev.recorder.schema.Setup;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running host: registers, keeps its recorders as primary or secondary, and stops cleanly.
 *
 * <p>{@link #run()} does everything on the calling thread and returns when it has been stopped;
 * {@link #stop()} and {@link #reconfigure} are for any thread. A {@code Machine} runs once.
 */
public final class Machine {
  private static final Logger log = LoggerFactory.getLogger(Machine.class);
  private static final Duration RETRY_SETUP = Duration.ofSeconds(1);

  /** How often a start is tried after a failure that {@link DatabaseException#mayPassSoon}. */
  private static final int TRIES = 30;

  private final Services services;
  private final OutageLog database = new OutageLog(log, "the database");
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final FatalShutdown fatalShutdown;
  private final MachineMetrics metrics;

  private final Object configuration = new Object();

  @GuardedBy("configuration")
  private MachineSettings settings;

  @GuardedBy("configuration")
  private @Nullable MachineLoop loop;

  private volatile @Nullable ReloadHandler reloads;

  /**
   * Creates a host whose recorders are elected in the database; {@link #run()} starts it.
   *
   * @param stores gives the bucket of a recorder; buckets may be shared, and are not closed
   */
  public Machine(MachineSettings settings, Function<RecorderName, DocumentStore> stores) {
    this(settings, Services.of(stores));
  }

  /** Creates a host; {@link #run()} starts it. */
  public Machine(MachineSettings settings, Services services) {
    this(settings, services, FatalErrorHandler.IGNORED);
  }

  /**
   * Creates a host; {@link #run()} starts it.
   *
   * @param fatal receives a failure that is about to end the host, on the thread that failed
   */
  public Machine(MachineSettings settings, Services services, FatalErrorHandler fatal) {
    this.settings = settings;
    this.services = services;
    this.fatalShutdown = new FatalShutdown(fatal);
    this.metrics =
        new MachineMetrics(
            Ticker.system(),
            Arrays.stream(TakeoverReason.values()).map(TakeoverReason::toString).toList());
    metrics.configured(settings.logNames(), settings.requestNames());
  }

  /** Returns the live metrics of this host; for any thread. */
  public MachineMetrics metrics() {
    return metrics;
  }

  /**
   * Has the host finish the work in progress, release its recorders and return from {@link #run()}.
   */
  public void stop() {
    stopRequested.countDown();
  }

  /**
   * Applies, soon, the settings that may change while the host runs: added and removed recorders,
   * and each recorder's {@code primary}, {@code failback} and captures. If this host is active for
   * a recorder that now has another primary, the recorder moves there by a graceful switchover.
   * Other changes in {@code changed} have no effect on the running host. Recorders that were
   * refused are checked again.
   */
  public void reconfigure(MachineSettings changed) {
    Sessions.forgetRefusedLogins();
    synchronized (configuration) {
      settings = changed;
      metrics.configured(changed.logNames(), changed.requestNames());
      if (loop != null) {
        loop.reconfigure(changed);
      }
    }
  }

  /**
   * Sets the handler of operators' orders, which arrive through the database, to read the
   * configuration again. Without a handler such orders are not taken. To be called before {@link
   * #run()}.
   */
  public void reloadBy(ReloadHandler handler) {
    reloads = handler;
  }

  /**
   * Runs until the host is stopped.
   *
   * @throws DatabaseException if the database cannot be used as it is (rights, version, standby
   *     server, pooler: see the kind), or another process runs under this host's name (BUSY). An
   *     unreachable database is waited for without limit.
   * @throws MachineFailedException if an unforeseen failure occurred on this or another thread of
   *     the host
   */
  public void run() throws InterruptedException {
    try {
      work();
    } catch (DatabaseException | InterruptedException e) {
      if (!fatalShutdown.isOver()) {
        throw e;
      }
    } catch (RuntimeException | Error unforeseen) {
      fatalShutdown.failed(unforeseen);
    }
    Throwable cause = fatalShutdown.end();
    if (cause != null) {
      throw new MachineFailedException(current().name(), cause);
    }
  }

  private void work() throws InterruptedException {
    MachineSettings initial = current();
    Sessions sessions = new Sessions(initial.database(), initial.name());
    try (LogContext context = LogContext.of(initial.name());
        RdsManager manager = new RdsManager(sessions);
        SharedResources resources = new SharedResources(sessions, fatalShutdown, metrics);
        BackEnds backEnds =
            new BackEnds(
                sessions,
                new BackEnds.BackEndDependencies(
                    new UnitProcessors(services.stores(), resources.probes(), manager),
                    resources.memory(),
                    metrics,
                    resources.conditions()::state),
                initial.timing().takeoverAfter(),
                Supervision.by(fatalShutdown))) {
      fatalShutdown.watch(
          () -> {
            manager.disconnect("the host ends");
            resources.abortSessions();
          });
      try {
        operate(new MachineDependencies(manager, resources, backEnds, database, fatalShutdown));
      } finally {
        fatalShutdown.closing();
      }
    }
    if (fatalShutdown.isOver()) {
      return;
    }
    log.info(LogEvent.STOPPED, "{} has stopped", initial.name());
  }

  private void operate(MachineDependencies dependencies) throws InterruptedException {
    MachineSettings used = current();
    List<Setup.Row> rows = setUp(dependencies.manager(), used);
    if (!isStopping() && !fatalShutdown.isOver()) {
      MachineLoop begun = begin(new MachineLoop(used, rows, services, dependencies), used);
      takeOrders(begun, dependencies.manager(), dependencies.resources());
      begun.run(this::isStopping);
    }
  }

  private void takeOrders(MachineLoop begun, RdsManager manager, SharedResources resources) {
    ReloadHandler reload = reloads;
    HostOrderHandler host =
        new HostOrderHandler(begun, reload == null ? name -> "" : reload::fileTrouble);
    Map<OrderKind, Function<MachineOrder, String>> handlers = new EnumMap<>(OrderKind.class);
    for (OrderKind kind : List.of(OrderKind.DRAIN, OrderKind.UNDRAIN, OrderKind.REHEARSE)) {
      handlers.put(kind, host::carryOut);
    }
    if (reload != null) {
      handlers.put(OrderKind.RELOAD, reload::carryOut);
      handlers.put(OrderKind.COMPARE, reload::carryOut);
    }
    new OrderWatch(manager, resources, handlers);
  }

  private MachineSettings current() {
    synchronized (configuration) {
      return settings;
    }
  }

  private MachineLoop begin(MachineLoop begun, MachineSettings used) {
    synchronized (configuration) {
      loop = begun;
      if (!settings.equals(used)) {
        begun.reconfigure(settings); // The settings changed while the database was waited for.
      }
    }
    return begun;
  }

  private boolean isStopping() {
    return stopRequested.getCount() == 0;
  }

  private List<Setup.Row> setUp(RdsManager manager, MachineSettings used)
      throws InterruptedException {
    for (int tries = 1; !isStopping() && !fatalShutdown.isOver(); tries++) {
      metrics.waits();
      try {
        manager.connect();
        List<Setup.Row> rows = new Setup(manager).run(used.wanted());
        report(manager.call(new ServerQueries(manager.schemas())::server));
        database.up();
        return rows;
      } catch (DatabaseException e) {
        boolean mayPass =
            e.kind() == DatabaseErrorKind.UNREACHABLE || e.kind() == DatabaseErrorKind.BUSY;
        if (!mayPass && !(e.mayPassSoon() && tries < TRIES)) {
          throw e;
        }
        database.down(String.valueOf(e.getMessage()));
        metrics.unreached();
        pauseUnlessStopped(RETRY_SETUP);
      }
    }
    return List.of();
  }

  private static void report(ServerInfo server) {
    if (server.superuser()) {
      log.warn(
          LogEvent.ROLE_IS_SUPERUSER,
          "role {} is a superuser, which no recorder needs; set [postgredb] user to a role of its own,"
              + " as 'recorder schema' makes it",
          server.role());
    }
    if (server.damagesIndexes()) {
      log.warn(
          LogEvent.POSTGRESQL_DAMAGES_INDEXES,
          "PostgreSQL {} can damage an index that is made or rebuilt CONCURRENTLY, and a row that"
              + " the index misses is not recorded; update to 14.4 or later, then REINDEX the"
              + " hand-off tables",
          server.version());
    }
  }

  private void pauseUnlessStopped(Duration pause) throws InterruptedException {
    if (stopRequested.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      log.info(LogEvent.STOPPING_UNREACHED, "stopping before the database was reached");
    }
  }
}
