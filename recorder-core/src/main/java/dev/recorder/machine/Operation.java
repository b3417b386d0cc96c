package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Signal;
import dev.recorder.leadership.WriteLease;
import dev.recorder.leadership.postgres.JdbcControlSession;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Outage;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine at work: joins the coordinator's decisions with the crew, from the first connection to
 * the clean end. All on the thread of {@link #run}, except {@link #reconfigure}.
 */
final class Operation {
  private static final Logger log = LoggerFactory.getLogger(Operation.class);

  /** How long giving back the keys of elections may take; then they expire. */
  private static final Duration GIVE_KEYS_BACK_WITHIN = Duration.ofSeconds(2);

  private final Workshop workshop;
  private final Collapse collapse;
  private final Ticker ticker = Ticker.system();
  private final WriteLease lease = new WriteLease(ticker);
  private final Coordinator coordinator;
  private final JdbcControlSession session;
  private final ControlLoop loop;
  private final Crew crew;
  private final BackEnds backEnds;
  private final Neighbours neighbours;
  private final Strangers strangers;
  private final Additions additions;
  private final SessionReporter reporter;
  private final PauseWatch pauses;
  private MachineSettings settings;

  /**
   * What a machine opens for its work, and closes after it.
   *
   * @param manager of the control session
   * @param database told when it is gone and when it is back
   * @param collapse ends the work when something fails that nobody foresaw
   */
  record Premises(
      RdsManager manager,
      Workshop workshop,
      BackEnds backEnds,
      Outage database,
      Collapse collapse) {}

  Operation(MachineSettings settings, List<Setup.Row> rows, Services services, Premises premises) {
    this.settings = settings;
    this.workshop = premises.workshop();
    this.backEnds = premises.backEnds();
    this.collapse = premises.collapse();
    RdsManager manager = premises.manager();
    this.coordinator =
        new Coordinator(settings.name(), settings.timing(), List.of(), lease, ticker.nanos());
    this.crew = new Crew(settings.name(), services, manager, workshop, new CrewLead(services));
    this.pauses = new PauseWatch(manager, workshop, backEnds, ticker);
    this.reporter = new SessionReporter(settings.name(), premises, crew, pauses, ticker);
    this.neighbours = new Neighbours(manager, workshop, crew.registration(settings));
    this.strangers = new Strangers(manager, workshop, crew.registration(settings));
    new HoldbackWatch(manager, workshop, ticker);
    this.additions = new Additions(workshop, new Newcomers());
    this.session = new JdbcControlSession(manager, crew.registration(settings));
    this.loop = new ControlLoop(coordinator, session, ticker, this::onSignal);
    long lasts = settings.timing().lease().toNanos();
    workshop.metrics().heartbeats(lease::nanosLeft, () -> lease.lastExtendedTo() - lasts);
    hire(settings, rows);
    align();
  }

  /** Works until told to stop, then ends gracefully. */
  void run(BooleanSupplier stopping) throws InterruptedException {
    try (session) {
      reporter.begin();
      while (!stopping.getAsBoolean() && !collapse.isOver()) {
        crew.noteProgress(coordinator);
        crew.stateConditions();
        pauses.lookWhenDue();
        loop.turn();
        workshop.metrics().turned();
        loop.follow(workshop.peers());
        reporter.failIfNameIsTaken();
      }
      if (!collapse.isOver()) {
        new OrderlyStop(coordinator, crew, backEnds, ticker).with(loop);
      }
    } finally {
      crew.closeElections(GIVE_KEYS_BACK_WITHIN, ticker);
    }
  }

  private void tell(Runnable message) {
    loop.tell(c -> message.run());
  }

  /** Takes on what is new in {@code changed}, lets go of what is gone. For any thread. */
  void reconfigure(MachineSettings changed) {
    tell(
        () -> {
          settings = changed;
          workshop.conditions().awaitsRestart(changed.awaitsRestart());
          backEnds.keepOnly(changed.requests());
          align();
          additions.ask();
          crew.recheckRefused(); // What an operator has put in order.
        });
  }

  /**
   * Has this machine hand over what it can, and take nothing new; except what a key elects: who has
   * that key is active, or nobody is. For any thread.
   *
   * @param why empty if it should accept recorders again
   * @return what it is active for just then
   */
  CompletableFuture<List<String>> drain(String why) {
    CompletableFuture<List<String>> active = new CompletableFuture<>();
    tell(
        () -> {
          crew.drain(why);
          coordinator.drain(crew::isDrained, ticker.nanos());
          active.complete(Draining.active(crew.workers()));
        });
    return active;
  }

  /** What is needed to find out again whether a recorder could be taken here. For any thread. */
  CompletableFuture<Optional<SwitchoverCheck>> switchoverCheck(String recorder) {
    CompletableFuture<Optional<SwitchoverCheck>> found = new CompletableFuture<>();
    tell(() -> found.complete(Optional.ofNullable(crew.switchoverCheck(recorder))));
    return found;
  }

  private final class Newcomers implements Additions.AdditionsOwner {
    @Override
    public void tell(Runnable message) {
      Operation.this.tell(message);
    }

    @Override
    public MachineSettings missing() {
      return settings.with(
          settings.recorders().stream().filter(r -> !crew.has(r) || crew.isRefused(r)).toList(),
          settings.requests().stream().filter(r -> !backEnds.has(r)).toList());
    }

    @Override
    public void added(MachineSettings added, List<Setup.Row> rows) {
      hire(added, rows);
      align();
    }
  }

  /** Takes on those of {@code added} that are still wanted. */
  private void hire(MachineSettings added, List<Setup.Row> rows) {
    Map<Integer, Setup.Row> rowOf =
        rows.stream().collect(Collectors.toMap(Setup.Row::lockId, row -> row));
    for (RecorderSettings recorder : added.recorders()) {
      Setup.Row row = rowOf.get(recorder.lockId());
      if (row != null && settings.recorders().contains(recorder)) {
        crew.hire(recorder, row);
      }
    }
    for (BackEndSettings recorder : added.requests()) {
      Setup.Row row = rowOf.get(recorder.lockId());
      if (row != null && settings.requests().contains(recorder) && !backEnds.has(recorder)) {
        backEnds.hire(recorder, row);
      }
    }
  }

  /** Brings the coordinator and the machine's row in line with the settings and the crew. */
  private void align() {
    workshop.captures().want(settings, this::mayWrite);
    session.become(crew.registration(settings));
    loop.handOutAll();
    coordinator.reconfigure(crew.candidacies(settings), ticker.nanos());
    coordinator.pending().forEach(this::onSignal);
    crew.dismissStrangers(settings);
    neighbours.compareWith(crew.registration(settings));
    strangers.watch(crew.registration(settings));
  }

  private void onSignal(Signal signal) {
    if (signal instanceof Signal.TermBegun begun) {
      onTermBegun(begun);
    } else if (signal instanceof Signal.Leaving leaving) {
      crew.worker(leaving.lockId()).leave(leaving.epoch(), leaving.why());
    } else if (signal instanceof Signal.TermEnded ended) {
      onTermEnded(ended);
    } else if (signal instanceof Signal.StandingBy standing) {
      crew.worker(standing.lockId()).standingBy(standing.why());
    } else if (signal instanceof Signal.Recheck recheck) {
      crew.worker(recheck.lockId()).standingBy(recheck.why());
      crew.recheck(recheck.lockId(), recheck.why());
    } else if (signal instanceof Signal.Removed removed) {
      crew.worker(removed.lockId()).standingBy("removed from the configuration");
      crew.dismiss(removed.lockId());
    } else {
      reporter.on(signal);
    }
  }

  private void onTermEnded(Signal.TermEnded ended) {
    crew.worker(ended.lockId()).end(ended.epoch(), ended.why());
    KeyElection election = crew.election(ended.lockId());
    if (election != null && !coordinator.holds(ended.lockId())) {
      election.termEnded();
    }
  }

  private void onTermBegun(Signal.TermBegun begun) {
    int lockId = begun.term().lockId();
    KeyElection election = crew.election(lockId);
    BooleanSupplier mayWrite =
        election == null ? this::mayWrite : () -> mayWrite() && election.mayWrite();
    if (crew.worker(lockId).begin(begun.term(), begun.receipt(), mayWrite, ticker)) {
      coordinator.release(lockId, begun.term().epoch(), "it was granted while stopping");
    }
  }

  private boolean mayWrite() {
    return lease.isAlive() && !collapse.isOver();
  }

  /** What the crew tells, on the thread of this machine. */
  private final class CrewLead implements Crew.Lead {
    private final Services services;

    CrewLead(Services services) {
      this.services = services;
    }

    @Override
    public void ended(int lockId, long epoch, Ending ending) {
      tell(() -> onEnding(lockId, epoch, ending));
    }

    @Override
    public void found(int lockId, @Nullable String unable) {
      tell(
          () -> {
            KeyElection election = crew.election(lockId);
            if (election == null) {
              coordinator.setUnable(lockId, unable, ticker.nanos());
            } else {
              election.found(unable);
            }
          });
    }

    @Override
    public KeyElection election(RecorderSettings recorder) {
      return new KeyElection(
          settings.name(),
          services.keys().apply(recorder.name()),
          services.retry(),
          new KeyCandidate(recorder.lockId(), crew, coordinator, Operation.this::tell, ticker),
          new Supervision(ticker, collapse));
    }
  }

  private void onEnding(int lockId, long epoch, Ending ending) {
    if (!crew.has(lockId)) {
      return; // Removed before it could tell.
    }
    if (ending.kind() == Ending.EndingKind.REFUSED) {
      log.error(
          LogEvent.RECORDER_REFUSED,
          "recorder {} is refused on this machine until SIGHUP or a restart: {}",
          crew.worker(lockId).settings().name(),
          ending.why());
      crew.refuse(lockId, ending.why());
    } else if (ending.kind() == Ending.EndingKind.FAILED) {
      crew.failed(lockId, ending.why()); // Whoever saw it has logged it.
    }
    if (crew.worker(lockId).ended(epoch)) {
      coordinator.release(lockId, epoch, ending.why());
    }
  }
}
