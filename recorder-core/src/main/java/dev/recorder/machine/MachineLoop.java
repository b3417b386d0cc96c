package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Signal;
import dev.recorder.leadership.WriteLease;
import dev.recorder.leadership.postgres.JdbcControlSession;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.machine.chores.ForeignLockMonitor;
import dev.recorder.machine.chores.HoldbackWatch;
import dev.recorder.machine.chores.PauseWatch;
import dev.recorder.machine.chores.PeerComparison;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.SwitchoverCheck;
import dev.recorder.postgres.RdsManager;
import dev.recorder.requests.worker.BackEndSettings;
import dev.recorder.requests.worker.BackEnds;
import dev.recorder.schema.Setup;
import dev.recorder.slotlog.Ending;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host at work: connects the coordinator's decisions with the registry of recorders, from the
 * first connection to the clean end. All methods run on the thread of {@link #run}, except {@link
 * #reconfigure}, {@link #drain} and {@link #switchoverCheck}.
 */
final class MachineLoop {
  private static final Logger log = LoggerFactory.getLogger(MachineLoop.class);

  /** How long giving back the election keys may take; after that they expire by themselves. */
  private static final Duration GIVE_KEYS_BACK_WITHIN = Duration.ofSeconds(2);

  private static final Duration STATES_EVERY = Duration.ofSeconds(1);

  private final SharedResources resources;
  private final FatalShutdown fatalShutdown;
  private final Ticker ticker = Ticker.system();
  private final WriteLease lease = new WriteLease(ticker);
  private final Coordinator coordinator;
  private final JdbcControlSession session;
  private final ControlLoop loop;
  private final RecorderRegistry registry;
  private final BackEnds backEnds;
  private final PeerComparison peerComparison;
  private final ForeignLockMonitor foreignLocks;
  private final Additions additions;
  private final SessionReporter reporter;
  private final PauseWatch pauses;
  private final ScheduledChore conditions;
  private MachineSettings settings;

  /**
   * The resources that the host opens for its work, and closes afterwards.
   *
   * @param manager owns the control session
   * @param database told when the database is lost and when it is back
   * @param fatalShutdown ends the work after an unforeseen failure
   */
  record MachineDependencies(
      RdsManager manager,
      SharedResources resources,
      BackEnds backEnds,
      OutageLog database,
      FatalShutdown fatalShutdown) {}

  MachineLoop(
      MachineSettings settings,
      List<Setup.Row> rows,
      Services services,
      MachineDependencies dependencies) {
    this.settings = settings;
    this.resources = dependencies.resources();
    this.backEnds = dependencies.backEnds();
    this.fatalShutdown = dependencies.fatalShutdown();
    RdsManager manager = dependencies.manager();
    this.coordinator =
        new Coordinator(settings.name(), settings.timing(), List.of(), lease, ticker.nanos());
    this.registry =
        new RecorderRegistry(
            settings.name(), services, manager, resources, new LoopListener(services));
    this.session =
        new JdbcControlSession(manager, registry.registration(settings), services.time());
    this.loop = new ControlLoop(coordinator, session, ticker, this::onSignal);
    this.conditions =
        resources.begin("what is stated", STATES_EVERY, this::tell, registry::stateConditions);
    this.pauses = new PauseWatch(manager, resources, backEnds, this::tell);
    this.reporter = new SessionReporter(settings.name(), dependencies, registry, pauses, ticker);
    this.peerComparison = new PeerComparison(manager, resources, registry.registration(settings));
    this.foreignLocks = new ForeignLockMonitor(manager, resources, registry.registration(settings));
    new HoldbackWatch(manager, resources, ticker);
    this.additions = new Additions(resources, new AddedRecorders());
    long lasts = settings.timing().lease().toNanos();
    resources.metrics().heartbeats(lease::nanosLeft, () -> lease.lastExtendedTo() - lasts);
    add(settings, rows);
    align();
  }

  /** Works until {@code stopping} is true, then ends gracefully. */
  void run(BooleanSupplier stopping) throws InterruptedException {
    try (session) {
      reporter.begin();
      while (!stopping.getAsBoolean() && !fatalShutdown.isOver()) {
        registry.noteProgress(coordinator);
        loop.turn();
        resources.metrics().turned();
        loop.follow(resources.peers());
        reporter.failIfNameIsTaken();
      }
      if (!fatalShutdown.isOver()) {
        pauses.close(); // A locked table must not delay the end.
        conditions.close();
        new OrderlyStop(coordinator, registry, backEnds, ticker).with(loop);
      }
    } finally {
      registry.closeElections(GIVE_KEYS_BACK_WITHIN, ticker);
    }
  }

  private void tell(Runnable message) {
    loop.tell(c -> message.run());
  }

  /**
   * Adds the recorders that are new in {@code changed}, and removes those that are missing there.
   * For any thread.
   */
  void reconfigure(MachineSettings changed) {
    tell(
        () -> {
          settings = changed;
          resources.conditions().awaitsRestart(changed.awaitsRestart());
          backEnds.keepOnly(changed.requests());
          align();
          additions.ask();
          registry.recheckRefused(); // An operator may have fixed the reason.
        });
  }

  /**
   * Has this host hand over its recorders to hosts that can take them, and take no recorder.
   * Recorders elected by a key are exempt: only the holder of the key can be active. For any
   * thread.
   *
   * @param why the reason; empty if the host should accept recorders again
   * @return the recorders that the host is active for at that moment
   */
  CompletableFuture<List<String>> drain(String why) {
    CompletableFuture<List<String>> active = new CompletableFuture<>();
    tell(
        () -> {
          registry.drain(why);
          coordinator.drain(registry::isDrained, ticker.nanos());
          active.complete(Draining.active(registry.workers()));
        });
    return active;
  }

  /**
   * Returns a check whether this host could take the recorder; empty if the recorder is not here.
   * For any thread.
   */
  CompletableFuture<Optional<SwitchoverCheck>> switchoverCheck(String recorder) {
    CompletableFuture<Optional<SwitchoverCheck>> found = new CompletableFuture<>();
    tell(() -> found.complete(Optional.ofNullable(registry.switchoverCheck(recorder))));
    return found;
  }

  private final class AddedRecorders implements Additions.AdditionsOwner {
    @Override
    public void tell(Runnable message) {
      MachineLoop.this.tell(message);
    }

    @Override
    public MachineSettings missing() {
      return settings.with(
          settings.recorders().stream()
              .filter(r -> !registry.has(r) || registry.isRefused(r))
              .toList(),
          settings.requests().stream().filter(r -> !backEnds.has(r)).toList());
    }

    @Override
    public void added(MachineSettings added, List<Setup.Row> rows) {
      add(added, rows);
      align();
    }
  }

  /** Adds those recorders of {@code added} that are still wanted. */
  private void add(MachineSettings added, List<Setup.Row> rows) {
    Map<Integer, Setup.Row> rowOf =
        rows.stream().collect(Collectors.toMap(Setup.Row::lockId, row -> row));
    for (RecorderSettings recorder : added.recorders()) {
      Setup.Row row = rowOf.get(recorder.lockId());
      if (row != null && settings.recorders().contains(recorder)) {
        registry.add(recorder, row);
      }
    }
    for (BackEndSettings recorder : added.requests()) {
      Setup.Row row = rowOf.get(recorder.lockId());
      if (row != null && settings.requests().contains(recorder) && !backEnds.has(recorder)) {
        backEnds.add(recorder, row);
      }
    }
  }

  /** Brings the coordinator and the machine's row in line with the settings and the registry. */
  private void align() {
    resources.captures().want(settings, this::mayWrite);
    session.become(registry.registration(settings));
    loop.handOutAll();
    coordinator.reconfigure(registry.candidacies(settings), ticker.nanos());
    coordinator.pending().forEach(this::onSignal);
    registry.removeUnpaired(settings);
    peerComparison.compareWith(registry.registration(settings));
    foreignLocks.watch(registry.registration(settings));
  }

  private void onSignal(Signal signal) {
    if (signal instanceof Signal.TermBegun begun) {
      onTermBegun(begun);
    } else if (signal instanceof Signal.Leaving leaving) {
      registry.worker(leaving.lockId()).leave(leaving.epoch(), leaving.why());
    } else if (signal instanceof Signal.TermEnded ended) {
      onTermEnded(ended);
    } else if (signal instanceof Signal.StandingBy standing) {
      registry.worker(standing.lockId()).standingBy(standing.why());
    } else if (signal instanceof Signal.Recheck recheck) {
      registry.worker(recheck.lockId()).standingBy(recheck.why());
      registry.recheck(recheck.lockId(), recheck.why());
    } else if (signal instanceof Signal.Removed removed) {
      registry.worker(removed.lockId()).standingBy("removed from the configuration");
      registry.remove(removed.lockId());
    } else {
      reporter.on(signal);
    }
  }

  private void onTermEnded(Signal.TermEnded ended) {
    registry.worker(ended.lockId()).end(ended.epoch(), ended.why());
    KeyElection election = registry.election(ended.lockId());
    if (election != null && !coordinator.holds(ended.lockId())) {
      election.termEnded();
    }
  }

  private void onTermBegun(Signal.TermBegun begun) {
    int lockId = begun.term().lockId();
    KeyElection election = registry.election(lockId);
    BooleanSupplier mayWrite =
        election == null ? this::mayWrite : () -> mayWrite() && election.mayWrite();
    if (registry.worker(lockId).begin(begun.term(), begun.receipt(), mayWrite, ticker)) {
      coordinator.release(lockId, begun.term().epoch(), "it was granted while stopping");
    }
  }

  private boolean mayWrite() {
    return lease.isAlive() && !fatalShutdown.isOver();
  }

  /** Passes reports of the registry to the control loop's thread. */
  private final class LoopListener implements RecorderRegistry.RegistryListener {
    private final Services services;

    LoopListener(Services services) {
      this.services = services;
    }

    @Override
    public void ended(int lockId, long epoch, Ending ending) {
      tell(() -> onEnding(lockId, epoch, ending));
    }

    @Override
    public void readinessChanged(int lockId) {
      tell(
          () -> {
            KeyElection election = registry.election(lockId);
            if (election != null) {
              election.takePart();
            } else if (registry.has(lockId)) {
              coordinator.setUnable(lockId, registry.unable(lockId), ticker.nanos());
            }
          });
    }

    @Override
    public void reachedAnother(int lockId) {
      tell(() -> registry.recheckRefused(lockId));
    }

    @Override
    public KeyElection election(RecorderSettings recorder) {
      return new KeyElection(
          settings.name(),
          services.keys().apply(recorder.name()),
          services.retry(),
          new KeyCandidate(
              recorder.lockId(), registry, coordinator, MachineLoop.this::tell, ticker),
          new Supervision(ticker, fatalShutdown));
    }
  }

  private void onEnding(int lockId, long epoch, Ending ending) {
    if (!registry.has(lockId)) {
      return; // The recorder was removed before its writer reported the end.
    }
    if (ending.kind() == Ending.EndingKind.REFUSED) {
      log.error(
          LogEvent.RECORDER_REFUSED,
          "recorder {} is refused on this host until SIGHUP, a restart, or a session with another"
              + " server: {}",
          registry.worker(lockId).settings().name(),
          ending.why());
      registry.refuse(lockId, ending.why());
    } else if (ending.kind() == Ending.EndingKind.FAILED) {
      registry.failed(lockId, ending.why()); // The thread that saw the failure has logged it.
    }
    if (registry.worker(lockId).ended(epoch)) {
      coordinator.release(lockId, epoch, ending.why());
    }
  }
}
