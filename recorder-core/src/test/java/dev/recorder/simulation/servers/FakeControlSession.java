package dev.recorder.simulation.servers;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.ClusterView;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.leadership.MachineView;
import dev.recorder.leadership.RecorderView;
import dev.recorder.simulation.time.Arrivals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A machine's control session with the imaginary database, without a network between them. */
public final class FakeControlSession implements ControlSession {
  private final FakeDatabase database;
  private final String machine;
  private final Set<Integer> lockIds;
  private Set<Integer> primaryFor;
  public final Arrivals arrivals = new Arrivals();
  private @Nullable SessionId former;
  private @Nullable FakeSession session;

  public FakeControlSession(
      FakeDatabase database, String machine, Set<Integer> lockIds, Set<Integer> primaryFor) {
    this.database = database;
    this.machine = machine;
    this.lockIds = lockIds;
    this.primaryFor = primaryFor;
  }

  /** A new connection of the same process, which knows its last one. */
  public FakeControlSession successor(FakeDatabase address) {
    FakeControlSession next = new FakeControlSession(address, machine, lockIds, primaryFor);
    next.former = session == null ? former : session.id();
    return next;
  }

  @Override
  public ControlAnswer perform(ControlAction action) {
    if (action instanceof ControlAction.Connect connect) {
      return connect(connect);
    }
    FakeSession current = session;
    if (current == null || !current.isAlive()) {
      return new ControlAnswer.SessionLost("terminating connection due to administrator command");
    }
    database.use(current);
    if (action instanceof ControlAction.Beat beat) {
      return beat(current, beat);
    } else if (action instanceof ControlAction.Watch) {
      return new ControlAnswer.Seen(watch());
    } else if (action instanceof ControlAction.Evict evict) {
      return evict(evict);
    } else if (action instanceof ControlAction.Take take) {
      return take(current, take);
    } else if (action instanceof ControlAction.TakeSeveral several) {
      return new ControlAnswer.TookSeveral(
          several.takes().stream().map(take -> take(current, take)).toList());
    } else if (action instanceof ControlAction.Announce announce) {
      return announce(announce);
    } else if (action instanceof ControlAction.Accept accept) {
      return accept(accept);
    } else if (action instanceof ControlAction.Release release) {
      return release(current, release);
    } else if (action instanceof ControlAction.Register register) {
      return registerAgain(current, register);
    }
    throw new IllegalArgumentException("not for the database: " + action);
  }

  /** Ends the session, as its process does when it closes the connection. */
  public void close() {
    if (session != null) {
      session.end();
    }
  }

  public @Nullable FakeSession session() {
    return session;
  }

  private ControlAnswer connect(ControlAction.Connect connect) {
    if (session != null) {
      former = session.id();
    }
    if (!database.isUp()) {
      return new ControlAnswer.SessionLost("connection refused");
    }
    FakeSession opened = database.open(machine, true);
    session = opened;
    FakeSession ended = former == null ? null : database.session(former);
    if (ended != null) {
      ended.end();
    }
    if (!database.tryLock("name/" + machine, opened)) {
      opened.end();
      return new ControlAnswer.NameInUse("another process runs under the name " + machine);
    }
    MachineRow before = database.tables().machines.get(machine);
    long beat = before == null ? 1 : before.beat() + 1;
    requestForFlips(before);
    register(opened, beat, connect.able(), Set.of());
    return new ControlAnswer.Connected(opened.id().pid());
  }

  /** What this machine prefers from now on; told with the next Register or Connect. */
  void become(Set<Integer> changed) {
    primaryFor = changed;
  }

  private ControlAnswer registerAgain(FakeSession current, ControlAction.Register register) {
    MachineRow before = database.tables().machines.get(machine);
    requestForFlips(before);
    Set<Integer> stuck =
        before != null && before.session().equals(current.id()) ? before.stuck() : Set.of();
    register(current, before == null ? 1 : before.beat() + 1, register.able(), stuck);
    return new ControlAnswer.Registered();
  }

  private void requestForFlips(@Nullable MachineRow before) {
    if (before == null) {
      return;
    }
    HandoverRequest mine = new HandoverRequest(machine, HandoverRequest.Why.FLIP);
    for (RecorderRow row : List.copyOf(database.tables().recorders.values())) {
      boolean was = before.prefers().contains(row.lockId());
      boolean is = primaryFor.contains(row.lockId());
      if (is && !was && !machine.equals(row.holder())) {
        put(row.requested(mine));
      } else if (was && !is && mine.equals(row.request())) {
        put(row.requested(null));
      }
    }
  }

  private ControlAnswer announce(ControlAction.Announce announce) {
    RecorderRow row = database.recorder(announce.lockId());
    if (row.epoch() == announce.epoch() && machine.equals(row.holder())) {
      put(row.requested(announce.request()));
    }
    return new ControlAnswer.Announced();
  }

  private ControlAnswer accept(ControlAction.Accept accept) {
    RecorderRow row = database.recorder(accept.lockId());
    boolean ours = row.epoch() == accept.epoch() && machine.equals(row.holder());
    String to = accept.request().to();
    if (ours && to.equals(database.tables().orders.get(accept.lockId()))) {
      database.write(() -> database.tables().orders.remove(accept.lockId()));
      return new ControlAnswer.Accepted();
    }
    if (ours && accept.request().equals(row.request())) {
      put(row.requested(null));
    }
    return new ControlAnswer.Withdrawn();
  }

  private void put(RecorderRow row) {
    database.write(() -> database.tables().recorders.put(row.lockId(), row));
  }

  private void register(FakeSession current, long beat, Set<Integer> able, Set<Integer> stuck) {
    database.write(
        () -> {
          database
              .tables()
              .machines
              .put(machine, new MachineRow(machine, beat, current.id(), able, primaryFor, stuck));
          database.tables().beats.put(current.id(), database.clockMicros());
        });
  }

  private ControlAnswer beat(FakeSession current, ControlAction.Beat beat) {
    MachineRow row = database.tables().machines.get(machine);
    if (row == null || !row.session().equals(current.id())) {
      current.end();
      return new ControlAnswer.SessionLost("the row is no longer this session's");
    }
    register(current, row.beat() + 1, beat.able(), beat.stuck());
    return new ControlAnswer.Renewed();
  }

  private ClusterView watch() {
    Map<String, MachineView> machines = new TreeMap<>();
    for (MachineRow row : database.tables().machines.values()) {
      boolean alive = database.isAlive(row.session());
      machines.put(
          row.name(),
          new MachineView(row.name(), row.beat(), alive, row.able(), row.prefers(), row.stuck()));
    }
    Map<Integer, RecorderView> recorders = new TreeMap<>();
    for (RecorderRow row : database.tables().recorders.values()) {
      if (lockIds.contains(row.lockId())) {
        boolean alive = database.isAlive(row.holderSession());
        recorders.put(
            row.lockId(),
            new RecorderView(
                row.lockId(), row.holder(), row.epoch(), alive, row.request(), row.faults()));
      }
    }
    return new ClusterView(machines, recorders);
  }

  private ControlAnswer evict(ControlAction.Evict evict) {
    MachineRow row = database.tables().machines.get(evict.holder());
    if (row == null || row.beat() != evict.judgedBeat()) {
      return new ControlAnswer.Evicted(0);
    }
    RecorderRow recorder = database.recorder(evict.lockId());
    if (!evict.holder().equals(recorder.holder())) {
      return new ControlAnswer.Evicted(0);
    }
    FakeSession lockHolder = database.lockHolder(lockOf(evict.lockId()));
    List<FakeSession> condemned =
        database.sessions().stream()
            .filter(
                s ->
                    (s == lockHolder && s.id().equals(recorder.holderSession()))
                        || (s.machine().equals(evict.holder()) && !s.isControl()))
            .toList();
    condemned.forEach(FakeSession::end);
    return new ControlAnswer.Evicted(condemned.size());
  }

  private ControlAnswer take(FakeSession current, ControlAction.Take take) {
    String lock = lockOf(take.lockId());
    if (!database.tryLock(lock, current)) {
      return new ControlAnswer.LockHeld();
    }
    RecorderRow row = database.recorder(take.lockId());
    if (row.epoch() != take.judgedEpoch() || !Objects.equals(row.holder(), take.judgedHolder())) {
      database.unlock(lock, current);
      return new ControlAnswer.Moved();
    }
    String from = row.holder() == null ? row.lastHolder() : row.holder();
    RecorderRow held = row.heldBy(machine, current.id(), take.reason(), database.clockMicros());
    database.write(
        () -> {
          database.tables().recorders.put(take.lockId(), held);
          database
              .tables()
              .takeovers
              .add(
                  new TakeoverRow(
                      take.lockId(), take.reason(), from, machine, row.epoch(), held.epoch()));
        });
    return new ControlAnswer.Taken(
        new Term(take.lockId(), held.epoch(), machine, held.log()),
        new ControlAnswer.Receipt(
            take.reason(),
            from,
            take.judgedEpoch(),
            row.holder() == null ? Duration.ZERO : since(lastBeat(row)),
            from == null ? null : since(Math.max(row.updatedAtMicros(), lastBeat(row))),
            take.why()));
  }

  /** Of the session of its term; 0 if nobody holds it. */
  private long lastBeat(RecorderRow row) {
    SessionId session = row.holderSession();
    return session == null ? 0 : database.tables().beats.getOrDefault(session, 0L);
  }

  private Duration since(long micros) {
    return Duration.ofMillis((database.clockMicros() - micros) / 1_000);
  }

  private ControlAnswer release(FakeSession current, ControlAction.Release release) {
    RecorderRow row = database.recorder(release.lockId());
    if (row.epoch() == release.epoch() && machine.equals(row.holder())) {
      database.write(
          () ->
              database
                  .tables()
                  .recorders
                  .put(release.lockId(), row.released(release.to(), database.clockMicros())));
    }
    if (database.lockHolder(lockOf(release.lockId())) == current) {
      database.unlock(lockOf(release.lockId()), current);
    }
    return new ControlAnswer.Released();
  }

  public static String lockOf(int lockId) {
    return "recorder/" + lockId;
  }
}
