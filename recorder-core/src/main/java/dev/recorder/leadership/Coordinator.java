package dev.recorder.leadership;

import dev.recorder.leadership.ControlAction.Rest;
import dev.recorder.slotlog.Term;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Leadership of one machine: a state machine that says what to do next on the control session and
 * turns the answers into signals for the machine's writers.
 *
 * <p>One action at a time, heartbeats first. Pure and not thread-safe: the control loop calls it on
 * one thread; {@link Lease} is what other threads may read.
 */
public final class Coordinator {
  private static final long SOON = Duration.ofMillis(10).toNanos();
  private static final long FIRST_RECONNECT = Duration.ofMillis(50).toNanos();
  private static final long LONGEST_RECONNECT = Duration.ofSeconds(2).toNanos();

  private final String me;
  private final Timing timing;
  private final Lease lease;
  private final Election election;
  private final Silence silence = new Silence();
  private final Map<Integer, Seat> seats = new TreeMap<>();
  private final Deque<ControlAction> decided = new ArrayDeque<>();
  private final List<Signal> out = new ArrayList<>();
  private boolean connected;
  private boolean stopping;
  private int failedConnects;
  private long nextConnectAt;
  private long nextBeatAt;
  private long nextWatchAt;

  public Coordinator(
      String machine, Timing timing, Collection<Candidacy> candidacies, Lease lease, long now) {
    this.me = machine;
    this.timing = timing;
    this.lease = lease;
    this.election = new Election(timing, machine);
    this.nextConnectAt = now;
    candidacies.forEach(candidacy -> seats.put(candidacy.lockId(), new Seat(candidacy)));
  }

  /**
   * What to do now. A {@link Rest} may be cut short whenever something was told to the coordinator.
   */
  public ControlAction next(long now) {
    if (!connected) {
      return now - nextConnectAt < 0
          ? new Rest(nextConnectAt)
          : new ControlAction.Connect(ableIds());
    }
    if (now - nextBeatAt >= 0) {
      return new ControlAction.Beat(activeIds(), ableIds());
    }
    for (Seat seat : seats.values()) {
      Term term = seat.term;
      if (term != null && seat.releaseWhy != null) {
        return new ControlAction.Release(seat.lockId(), term.epoch(), seat.releaseWhy);
      }
    }
    ControlAction action = decided.poll();
    if (action != null) {
      return action;
    }
    return now - nextWatchAt >= 0
        ? new ControlAction.Watch()
        : new Rest(nextBeatAt - nextWatchAt < 0 ? nextBeatAt : nextWatchAt);
  }

  /**
   * Takes the answer to {@code action}.
   *
   * @param sentAt taken before the action was sent: validity counts from there
   */
  public List<Signal> on(ControlAction action, long sentAt, ControlAnswer answer, long now) {
    if (answer instanceof ControlAnswer.SessionLost lost) {
      onSessionLost(lost.why(), now);
    } else if (answer instanceof ControlAnswer.NameTaken taken) {
      nextConnectAt = now + reconnectDelay();
      out.add(new Signal.NameTaken(taken.why()));
    } else if (answer instanceof ControlAnswer.Busy) {
      onBusy(action, now);
    } else if (answer instanceof ControlAnswer.Connected up) {
      onConnected(up, sentAt, now);
    } else if (answer instanceof ControlAnswer.Renewed) {
      lease.extendTo(sentAt + timing.lease().toNanos());
      // A beat that took longer than its interval must not starve the watch.
      nextBeatAt = Math.max(sentAt + timing.heartbeat().toNanos() - now, SOON) + now;
    } else if (answer instanceof ControlAnswer.Seen seen) {
      onSeen(seen.sight(), sentAt, now);
    } else if (action instanceof ControlAction.Take take) {
      onTake(take, answer, now);
    } else if (action instanceof ControlAction.Release release) {
      onReleased(release);
    }
    return drain();
  }

  /**
   * Tells whether this machine can take the recorder: {@code unable} says why not, null that it
   * can.
   */
  public void setUnable(int lockId, @Nullable String unable, long now) {
    Seat seat = seat(lockId);
    boolean changed = (seat.unable == null) != (unable == null);
    seat.unable = unable;
    if (changed) {
      nextBeatAt = now;
      nextWatchAt = now;
    }
  }

  /** The writer of this term has ended by itself; let go of the lock. */
  public void release(int lockId, long epoch, String why) {
    Seat seat = seat(lockId);
    Term term = seat.term;
    if (term != null && term.epoch() == epoch) {
      seat.releaseWhy = why;
    }
  }

  /** No new terms from now on. */
  public void stop() {
    stopping = true;
    decided.clear();
  }

  public boolean isConnected() {
    return connected;
  }

  /** Whether this machine is active for any recorder. */
  public boolean holdsAny() {
    return seats.values().stream().anyMatch(Seat::isActive);
  }

  private void onConnected(ControlAnswer.Connected up, long sentAt, long now) {
    connected = true;
    failedConnects = 0;
    lease.extendTo(sentAt + timing.lease().toNanos());
    nextBeatAt = sentAt + timing.heartbeat().toNanos();
    nextWatchAt = now;
    out.add(new Signal.Up(up.pid()));
  }

  private void onSessionLost(String why, long now) {
    boolean wasConnected = connected;
    connected = false;
    lease.end();
    silence.forget();
    decided.clear();
    nextConnectAt = now + reconnectDelay();
    out.add(wasConnected ? new Signal.Down(why) : new Signal.Unreachable(why));
    for (Seat seat : seats.values()) {
      Term term = seat.term;
      seat.forgetSession();
      if (term != null) {
        out.add(new Signal.TermEnded(term.lockId(), term.epoch(), "control session lost: " + why));
      }
    }
  }

  private long reconnectDelay() {
    int doublings = Math.min(failedConnects++, 20);
    return Math.min(FIRST_RECONNECT << doublings, LONGEST_RECONNECT);
  }

  private void onBusy(ControlAction action, long now) {
    if (action instanceof ControlAction.Beat) {
      nextBeatAt = now + SOON;
    } else if (action instanceof ControlAction.Watch) {
      nextWatchAt = now + timing.watch().toNanos();
    }
  }

  private void onSeen(Sight sight, long sentAt, long now) {
    nextWatchAt = sentAt + timing.watch().toNanos();
    decided.clear();
    sight.machines().values().forEach(m -> silence.observe(m.name(), m.beat(), now));
    for (Seat seat : seats.values()) {
      if (seat.isActive()) {
        checkTerm(seat, sight);
      } else {
        noteVacancy(seat, sight.recorders().get(seat.lockId()), now);
        // As of when the look was sent: a pause of our own before its answer is nobody's silence.
        judge(seat, sight, sentAt);
      }
    }
  }

  private void checkTerm(Seat seat, Sight sight) {
    Term term = seat.term;
    RecorderSight row = sight.recorders().get(seat.lockId());
    if (term == null || (row != null && row.epoch() == term.epoch() && me.equals(row.holder()))) {
      return;
    }
    String why =
        "the recorder's row names epoch "
            + (row == null ? "none" : row.epoch())
            + ", ours was "
            + term.epoch();
    if (seat.releaseWhy == null) {
      seat.releaseWhy = why;
      out.add(new Signal.TermEnded(term.lockId(), term.epoch(), why));
    }
  }

  private void judge(Seat seat, Sight sight, long asOf) {
    RecorderSight row = sight.recorders().get(seat.lockId());
    Long vacantSince = seat.vacantSince;
    Duration vacantFor = vacantSince == null ? Duration.ZERO : Duration.ofNanos(asOf - vacantSince);
    Decision decision =
        election.decide(seat.candidacy, seat.unable, sight, vacantFor, silence, asOf);
    if (decision.reason() != null && row != null && !stopping) {
      act(seat, row, decision, sight, asOf);
    } else if (!decision.why().equals(seat.lastWhy)) {
      out.add(new Signal.StandingBy(seat.lockId(), decision.why()));
    }
    seat.lastWhy = decision.why();
  }

  private static void noteVacancy(Seat seat, @Nullable RecorderSight row, long now) {
    boolean vacant = row != null && row.holder() == null;
    if (!vacant) {
      seat.vacantSince = null;
    } else if (seat.vacantSince == null) {
      seat.vacantSince = now;
    }
  }

  private void act(Seat seat, RecorderSight row, Decision decision, Sight sight, long asOf) {
    String holder = row.holder();
    MachineSight machine = holder == null ? null : sight.machine(holder);
    Reason reason = decision.reason();
    if (decision.evict() && holder != null && machine != null) {
      seat.evictedEpoch = row.epoch();
      seat.evictedSilenceMillis = silence.of(holder, asOf).toMillis();
      decided.add(new ControlAction.Evict(seat.lockId(), holder, machine.beat()));
    }
    boolean evicted = seat.evictedEpoch == row.epoch() && reason == Reason.DIED;
    if (reason != null) {
      decided.add(
          new ControlAction.Take(
              seat.lockId(),
              holder,
              row.epoch(),
              evicted ? Reason.SILENT : reason,
              seat.evictedEpoch == row.epoch() ? seat.evictedSilenceMillis : 0,
              evicted ? holder + " was silent and has been evicted" : decision.why()));
    }
  }

  private void onTake(ControlAction.Take take, ControlAnswer answer, long now) {
    Seat seat = seat(take.lockId());
    if (answer instanceof ControlAnswer.Taken taken) {
      seat.term = taken.term();
      seat.releaseWhy = null;
      seat.lastWhy = "";
      nextBeatAt = now;
      out.add(new Signal.TermBegun(taken.term(), taken.receipt()));
    } else {
      // Held, though its holder is gone or going: it will be free in a moment. Moved: look again.
      nextWatchAt = now + SOON;
    }
  }

  private void onReleased(ControlAction.Release release) {
    Seat seat = seat(release.lockId());
    Term term = seat.term;
    seat.term = null;
    seat.releaseWhy = null;
    if (term != null) {
      out.add(new Signal.TermEnded(term.lockId(), term.epoch(), release.why()));
    }
  }

  private Set<Integer> activeIds() {
    return seats.values().stream()
        .filter(Seat::isActive)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Set<Integer> ableIds() {
    return seats.values().stream()
        .filter(seat -> seat.unable == null)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Seat seat(int lockId) {
    Seat seat = seats.get(lockId);
    if (seat == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return seat;
  }

  private List<Signal> drain() {
    List<Signal> signals = List.copyOf(out);
    out.clear();
    return signals;
  }
}
