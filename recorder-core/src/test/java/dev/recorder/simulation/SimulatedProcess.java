package dev.recorder.simulation;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Failback;
import dev.recorder.leadership.Signal;
import dev.recorder.leadership.Timing;
import dev.recorder.leadership.WriteLease;
import dev.recorder.simulation.servers.EpochInKey;
import dev.recorder.simulation.servers.FakeControlSession;
import dev.recorder.simulation.servers.LedgerTerm;
import dev.recorder.simulation.servers.Mutation;
import dev.recorder.simulation.time.OneAnswer;
import dev.recorder.simulation.time.VirtualTime;
import dev.recorder.slotlog.Ending;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.SlotWriter;
import dev.recorder.slotlog.WriterPolicy;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a running process has in memory, joined as the product's machine joins it. */
final class SimulatedProcess {
  private static final long CHECK_AGAIN = Duration.ofSeconds(1).toNanos();

  private final SimulatedMachine machine;
  private final World world;
  private final WriteLease lease;
  private final Coordinator coordinator;
  private final DatabaseLink database;
  private final StoreLink store;
  private final DataSessions data;
  private final Map<Integer, WriterDriver> writers = new TreeMap<>();
  private FakeControlSession control;
  private VirtualTime.@Nullable Step rest;
  private long stalledUntil;
  private boolean actionUnderWay;
  private boolean stopping;

  SimulatedProcess(SimulatedMachine machine) {
    this.machine = machine;
    this.world = machine.world;
    this.lease = new WriteLease(machine::nanos);
    this.database = new DatabaseLink(machine, this);
    this.store = new StoreLink(machine, this);
    this.data = new DataSessions(machine, this, database);
    Set<Integer> lockIds = new TreeSet<>(world.layouts.keySet());
    this.control =
        new FakeControlSession(
            machine.address(), machine.name, lockIds, machine.primary ? lockIds : Set.of());
    List<Candidacy> candidacies = new ArrayList<>();
    lockIds.forEach(
        id -> candidacies.add(new Candidacy(id, "r" + id, machine.primary, Failback.AUTO)));
    this.coordinator =
        new Coordinator(machine.name, Timing.DEFAULT, candidacies, lease, machine.nanos());
  }

  void start() {
    world.layouts.keySet().forEach(this::checkAble);
    decide();
  }

  WriteLease lease() {
    return lease;
  }

  DataSessions data() {
    return data;
  }

  StoreLink store() {
    return store;
  }

  @Nullable WriterDriver writer(int lockId) {
    return writers.get(lockId);
  }

  FakeControlSession control() {
    return control;
  }

  /** Asks for a graceful end. */
  void stop() {
    stopping = true;
    coordinator.stop();
    List.copyOf(writers.values()).forEach(WriterDriver::stop);
    told();
  }

  /** An operator wants nothing here, or that is over. */
  void drain(boolean drained) {
    coordinator.drain(lockId -> drained, machine.nanos());
    told();
  }

  void closeConnections() {
    data.abandon();
    FakeControlSession closed = control;
    database.close(closed.arrivals, closed::close);
  }

  // ---- leadership

  private void checkAble(int lockId) {
    store.<StoreIdentity.Recognition>get(
        "claim identity",
        bucket -> world.layout(lockId).identity(world.log(lockId)).claim(bucket),
        why -> new StoreIdentity.Recognition(StoreIdentity.IdentityKind.UNCLEAR, why),
        verdict -> {
          if (verdict.kind() == StoreIdentity.IdentityKind.RIGHT) {
            coordinator.setUnable(lockId, null, machine.nanos());
            told();
          } else {
            machine.later(this, CHECK_AGAIN, "checks again", () -> checkAble(lockId));
          }
        });
  }

  /** Something was told to the coordinator: it may want something else now. */
  private void told() {
    if (rest != null) {
      rest.cancel();
      rest = null;
    }
    decide();
  }

  private void decide() {
    if (actionUnderWay || rest != null) {
      return;
    }
    if (stopping && writers.isEmpty() && !coordinator.holdsAny()) {
      world.time.note(machine.name + " has stopped");
      machine.kill(true);
      return;
    }
    long now = machine.nanos();
    writers.forEach(
        (lockId, writer) ->
            coordinator.noteProgress(lockId, writer.term().epoch(), writer.progressAt()));
    ControlAction action = coordinator.next(now);
    if (action instanceof ControlAction.Rest until) {
      rest = machine.later(this, until.untilNanos() - now, "looks up", this::restIsOver);
    } else {
      actionUnderWay = true;
      // A pause may fall between the decision and the sending; validity counts from before it.
      long stall = Math.max(0, stalledUntil - world.time.now());
      machine.later(this, stall + world.hesitation(), "sends", () -> send(action, now));
    }
  }

  /** The control loop stands still for a while; the writers go on. */
  void stallControl(long nanos) {
    stalledUntil = world.time.now() + nanos;
  }

  private void restIsOver() {
    rest = null;
    decide();
  }

  private void send(ControlAction action, long sentAt) {
    FakeControlSession connection =
        action instanceof ControlAction.Connect ? control.successor(machine.address()) : control;
    control = connection;
    boolean[] over = new boolean[1];
    database.<ControlAnswer>call(
        connection.arrivals,
        Words.of(action),
        () ->
            action instanceof ControlAction.Connect && (over[0] || machine.process() != this)
                ? new ControlAnswer.SessionLost("nobody was there to connect")
                : connection.perform(action),
        ControlAnswer.SessionLost::new,
        answer -> {
          over[0] = true;
          actionUnderWay = false;
          answered(action, sentAt, answer, connection);
        });
  }

  private void answered(
      ControlAction action, long sentAt, ControlAnswer answer, FakeControlSession connection) {
    if (answer instanceof ControlAnswer.SessionLost) {
      database.close(connection.arrivals, connection::close);
    }
    coordinator.on(action, sentAt, answer, machine.nanos()).forEach(this::handle);
    decide();
  }

  private void handle(Signal signal) {
    world.time.note(machine.name + " " + signal);
    if (signal instanceof Signal.TermBegun begun) {
      begin(begun.term());
    } else if (signal instanceof Signal.Down) {
      data.abandon(); // frees whoever waits for an answer that will not come
    } else if (signal instanceof Signal.Leaving leaving) {
      WriterDriver writer = writers.get(leaving.lockId());
      if (writer != null && writer.term().epoch() == leaving.epoch()) {
        writer.stop();
      }
    } else if (signal instanceof Signal.Recheck recheck) {
      checkAble(recheck.lockId());
    } else if (signal instanceof Signal.TermEnded ended) {
      WriterDriver writer = writers.get(ended.lockId());
      if (writer != null && writer.term().epoch() == ended.epoch()) {
        writers.remove(ended.lockId());
        writer.drop();
      }
    }
  }

  private void begin(Term term) {
    if (stopping) {
      coordinator.release(term.lockId(), term.epoch(), "stopping");
      return;
    }
    SlotReader source = new SlotReader(machine.reachableStore(), world.layout(term.lockId()));
    LedgerTerm ledger =
        new LedgerTerm(
            term,
            world.rotation,
            world.layout(term.lockId()).compression(),
            source,
            world.mutation);
    SlotWriter writer =
        new SlotWriter(
            WriterPolicy.withLinger(LingerRule.of(Duration.ofMillis(world.lingerMillis))));
    WriterDriver driver = new WriterDriver(machine, this, term, writer, ledger);
    writers.put(term.lockId(), driver);
    driver.start();
    new ClearingDriver(machine, this, database, term).start();
  }

  void writerEnded(WriterDriver writer, Ending ending) {
    Term term = writer.term();
    world.time.note(machine.name + " " + ending);
    writers.remove(term.lockId(), writer);
    coordinator.release(term.lockId(), term.epoch(), ending.why());
    if (ending.kind() == Ending.EndingKind.REFUSED) {
      coordinator.setUnable(term.lockId(), ending.why(), machine.nanos());
      machine.later(this, CHECK_AGAIN, "checks again", () -> checkAble(term.lockId()));
    }
    told();
  }

  SlotStore slotStore(ObjectStore bucket, Term term) {
    ObjectStore seen =
        world.mutation == Mutation.EPOCH_IN_KEY
            ? new EpochInKey(bucket, world.store, term.epoch())
            : bucket;
    return new SlotStore(seen, world.layout(term.lockId()), term);
  }

  /**
   * Waits for so long for an answer, and then takes it that none will come.
   *
   * @param unclear the answer that stands for having none
   */
  <T> OneAnswer<T> awaitAnswer(
      long nanos, String what, Function<String, T> unclear, Consumer<T> taker) {
    VirtualTime.Step[] timeout = new VirtualTime.Step[1];
    OneAnswer<T> answer =
        new OneAnswer<>(
            given -> {
              timeout[0].cancel();
              taker.accept(given);
            });
    timeout[0] =
        machine.later(
            this,
            nanos,
            what + " timed out",
            () -> answer.give(unclear.apply("no answer in time")));
    return answer;
  }
}
