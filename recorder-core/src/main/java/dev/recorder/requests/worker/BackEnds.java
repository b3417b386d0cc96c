package dev.recorder.requests.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.postgres.Sessions;
import dev.recorder.schema.Setup;
import dev.recorder.time.Pause;
import dev.recorder.time.Supervision;
import dev.recorder.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All recorders of requests on this host. Thread-safe; only {@link #rollBack} waits.
 *
 * <p>Recorders of requests have no election and no terms. But a host that cannot send heartbeats
 * claims nothing, since its peers consider it dead, and end its sessions.
 */
public final class BackEnds implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BackEnds.class);

  /** How long interrupted units have to roll back. */
  private static final Duration ROLL_BACK = Duration.ofMillis(1_500);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  /**
   * The services that the workers of all recorders share.
   *
   * @param poisonPermits decides which worker may process possible poison messages
   * @param memory of the process
   * @param database told when the database is lost and when it is back
   * @param timer of the units' time limits
   */
  record SharedWorkerServices(
      String machine,
      PoisonPermits poisonPermits,
      MemoryBudget memory,
      OutageLog database,
      ScheduledExecutorService timer) {}

  private final Sessions sessions;
  private final BackEndDependencies means;
  private final Supervision supervision;
  private final Timer timer;
  private final SharedWorkerServices together;
  private final RequestMaintenance maintenance;

  @GuardedBy("this")
  private final Map<Integer, BackEnd> backEnds = new TreeMap<>();

  @GuardedBy("this")
  private final List<BackEnd> dismissed = new ArrayList<>();

  // Changed by become only; includes refused recorders.
  private final Map<String, Readiness> readiness = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private Set<Integer> paused = Set.of();

  @GuardedBy("this")
  private boolean registered;

  @GuardedBy("this")
  private boolean started;

  /**
   * The parts that back ends share with the rest of the host.
   *
   * @param memory shared with all other parts that hold rows
   * @param conditions receives whether a recorder processes requests, and null when it is removed;
   *     must not wait
   */
  public record BackEndDependencies(
      UnitProcessors handlings,
      MemoryBudget memory,
      MachineMetrics metrics,
      BiConsumer<String, @Nullable Readiness> conditions) {}

  /**
   * Creates an empty set of recorders.
   *
   * @param silence after which the sessions of silent peers are ended
   * @param supervision notified of unhandled failures on the threads
   */
  public BackEnds(
      Sessions sessions, BackEndDependencies means, Duration silence, Supervision supervision) {
    this.sessions = sessions;
    this.means = means;
    this.supervision = supervision;
    this.timer = new Timer("request-limits", supervision.fatal());
    OutageLog database = new OutageLog(log, "the database, for requests,");
    this.together =
        new SharedWorkerServices(
            sessions.machine(), new PoisonPermits(), means.memory(), database, timer);
    this.maintenance =
        new RequestMaintenance(sessions, silence, new PresentBackEnds(), supervision);
  }

  /** Whether this recorder runs here; a refused recorder does not. */
  public synchronized boolean has(BackEndSettings settings) {
    BackEnd present = backEnds.get(settings.lockId());
    return present != null && areSame(present.settings(), settings);
  }

  /** Adds a recorder, unless its row says that it must not run here. */
  public synchronized void add(BackEndSettings settings, Setup.Row row) {
    String name = settings.name().value();
    means.metrics().requests(name).readiness(() -> readiness.get(name));
    if (!row.payloadLimit().isEmpty()) {
      log.warn(
          LogEvent.MAX_PAYLOAD_NOT_APPLIED,
          "recorder {}: max_payload is not applied: {}",
          settings.name(),
          row.payloadLimit());
    }
    String refusal =
        row.refusal().isEmpty() ? means.memory().refusal(settings.maxPayload()) : row.refusal();
    if (refusal.isEmpty()) {
      start(settings, means.handlings().of(settings, row));
    } else {
      refuse(settings, refusal);
    }
  }

  @GuardedBy("this")
  private void refuse(BackEndSettings settings, String refusal) {
    log.error(
        LogEvent.RECORDER_REFUSED,
        "recorder {} is refused on this host: {}",
        settings.name(),
        refusal);
    become(settings, ReadinessState.REFUSED, refusal);
  }

  @GuardedBy("this")
  private void become(BackEndSettings settings, ReadinessState next, String why) {
    String name = settings.name().value();
    long now = supervision.ticker().nanos();
    Readiness before = readiness.getOrDefault(name, Readiness.unchecked(now));
    readiness.put(name, before.next(next, why, now));
    means.conditions().accept(name, readiness.get(name));
  }

  @GuardedBy("this")
  private void forget(String name) {
    readiness.remove(name);
    means.conditions().accept(name, null);
  }

  @GuardedBy("this")
  private void start(BackEndSettings settings, UnitProcessor handling) {
    String name = settings.name().value();
    // Nothing is processed before the check has ended, which a hanging store may delay for long.
    become(settings, ReadinessState.CHECKING, Readiness.CHECKING);
    BackEnd backEnd =
        new BackEnd(
            new WorkerContext(
                together, settings, handling, means.metrics().requests(name), supervision.ticker()),
            sessions,
            supervision,
            new CheckedBackEnds());
    backEnds.put(settings.lockId(), backEnd);
    backEnd.claimControl().paused(paused.contains(settings.lockId()));
    backEnd.claimControl().registered(registered);
    backEnd.start();
    if (!started) {
      started = true;
      maintenance.start();
    }
  }

  /** Takes results of checks; ignores a recorder that was removed meanwhile. */
  private final class CheckedBackEnds implements BackEnd.BackEndOwner {
    @Override
    public void found(BackEnd backEnd, String trouble) {
      synchronized (BackEnds.this) {
        if (backEnds.get(backEnd.settings().lockId()) == backEnd) {
          become(backEnd.settings(), ReadinessState.found(trouble), trouble);
        }
      }
    }

    @Override
    public void refused(BackEnd backEnd, String why) {
      synchronized (BackEnds.this) {
        if (backEnds.remove(backEnd.settings().lockId(), backEnd)) {
          refuse(backEnd.settings(), why);
        }
      }
    }
  }

  /** Removes all recorders but these; running units are finished. */
  public synchronized void keepOnly(Collection<BackEndSettings> wanted) {
    for (BackEnd present : List.copyOf(backEnds.values())) {
      if (wanted.stream().noneMatch(each -> areSame(each, present.settings()))) {
        log.info(
            LogEvent.RECORDER_REMOVED,
            "recorder {}: removed from the configuration",
            present.settings().name());
        backEnds.remove(present.settings().lockId());
        present.stop();
        dismissed.removeIf(each -> !each.isWorking());
        dismissed.add(present);
        forget(present.settings().name().value());
      }
    }
    for (String refused : readiness.keySet()) {
      if (wanted.stream().noneMatch(each -> each.name().value().equals(refused))) {
        forget(refused);
      }
    }
  }

  private static boolean areSame(BackEndSettings one, BackEndSettings other) {
    return one.lockId() == other.lockId() && one.name().equals(other.name());
  }

  /** Notes whether the host's heartbeats succeed. */
  public synchronized void registered(boolean is) {
    registered = is;
    backEnds.values().forEach(backEnd -> backEnd.claimControl().registered(is));
  }

  /** Pauses exactly the recorders with these lockids. */
  public synchronized void paused(Set<Integer> lockIds) {
    paused = Set.copyOf(lockIds);
    backEnds.forEach((lockId, backEnd) -> backEnd.claimControl().paused(lockIds.contains(lockId)));
  }

  /** The recorders, for their maintenance. */
  private final class PresentBackEnds implements RequestMaintenance.MaintenanceOwner {
    @Override
    public Collection<BackEndSettings> recorders() {
      synchronized (BackEnds.this) {
        return backEnds.values().stream().map(BackEnd::settings).toList();
      }
    }

    @Override
    public boolean mayClear(BackEndSettings recorder) {
      synchronized (BackEnds.this) {
        return !paused.contains(recorder.lockId());
      }
    }

    @Override
    public void notified(String recorder) {
      synchronized (BackEnds.this) {
        backEnds.values().stream()
            .filter(backEnd -> backEnd.settings().name().value().equals(recorder))
            .forEach(backEnd -> backEnd.claimControl().notified());
      }
    }
  }

  public void stop() {
    all().forEach(BackEnd::stop);
  }

  /** Whether units are running. */
  public boolean areWorking() {
    return all().stream().anyMatch(BackEnd::isWorking);
  }

  /** Interrupts running units, and waits a moment for their end. */
  public void rollBack() throws InterruptedException {
    all().forEach(BackEnd::interrupt);
    long deadline = supervision.ticker().nanos() + ROLL_BACK.toNanos();
    while (areWorking() && supervision.ticker().nanos() - deadline < 0) {
      Pause.sleep(LOOK_AGAIN);
    }
  }

  private synchronized List<BackEnd> all() {
    List<BackEnd> all = new ArrayList<>(backEnds.values());
    all.addAll(dismissed);
    return all;
  }

  @Override
  public void close() {
    maintenance.close();
    all().forEach(BackEnd::close);
    timer.shutdownNow();
  }
}
