package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.ControlSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockGuard;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.time.DatabaseTime;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The control session over PostgreSQL. Runs the coordinator's actions as transactions of the {@link
 * RdsManager}. Called by the control loop's thread.
 */
public final class JdbcControlSession implements ControlSession, AutoCloseable {
  private final RdsManager manager;
  private final DatabaseTime time;
  private final Heartbeats self;
  private final WatchStatement watch;
  private final TermStatements terms;
  private final TermBeginnings beginnings;
  private final Map<Integer, LockGuard> guards = new HashMap<>();

  /** The epochs for whose release this host's data sessions were already ended, by lock id. */
  private final Map<Integer, Long> endedFor = new HashMap<>();

  private Registration registration;
  private RdsManager.@Nullable Identity former;

  /** Makes a session, which {@link ControlAction.Connect} opens. */
  public JdbcControlSession(RdsManager manager, Registration registration) {
    this(manager, registration, new DatabaseTime());
  }

  /** Makes a session that sets {@code time} to the database's time with each heartbeat. */
  public JdbcControlSession(RdsManager manager, Registration registration, DatabaseTime time) {
    this.manager = manager;
    this.time = time;
    this.registration = registration;
    this.self = new Heartbeats(manager.schemas(), manager.machine());
    this.watch = new WatchStatement(manager.schemas());
    this.terms = new TermStatements(manager.schemas(), manager.machine());
    this.beginnings = new TermBeginnings(manager.schemas(), manager.machine());
  }

  /** Changes this host's registration, which the next Register or Connect writes. */
  public void become(Registration changed) {
    registration = changed;
  }

  @Override
  public ControlAnswer perform(ControlAction action) {
    try {
      return dispatch(action);
    } catch (DatabaseException e) {
      boolean busy = e.kind() == DatabaseErrorKind.BUSY && manager.isConnected();
      String why = e.getMessage() + (busy ? inTheWay(e) : "");
      if (!busy || action instanceof ControlAction.Connect) {
        disconnect(why);
      }
      return busy ? new ControlAnswer.Busy(why) : new ControlAnswer.SessionLost(why);
    }
  }

  private void disconnect(String why) {
    manager.disconnect(why);
    guards.clear();
  }

  /**
   * Returns the blocking session for a message, if the statement waited for a lock; empty
   * otherwise.
   */
  private String inTheWay(DatabaseException busy) {
    if (!(busy.getCause() instanceof SQLException failure)
        || !SqlStates.WAITED_FOR_LOCK.equals(failure.getSQLState())) {
      return "";
    }
    List<String> tables =
        Stream.of("info_recorders", "lock_recorders", "incumbents", "takeovers")
            .map(manager.schemas()::table)
            .toList();
    try {
      return manager.call(connection -> Blockers.of(connection, tables));
    } catch (DatabaseException notTold) {
      return "; the blocking session could not be determined: " + notTold.getMessage();
    }
  }

  private ControlAnswer dispatch(ControlAction action) {
    if (action instanceof ControlAction.Beat beat) {
      return beat(beat);
    } else if (action instanceof ControlAction.Watch) {
      return new ControlAnswer.Seen(manager.call(c -> watch.on(c, ofInterest())));
    } else if (action instanceof ControlAction.Take take) {
      return take(take);
    } else if (action instanceof ControlAction.TakeSeveral several) {
      return takeSeveral(several.takes());
    } else if (action instanceof ControlAction.Evict evict) {
      return new ControlAnswer.Evicted(manager.call(c -> terms.evict(c, evict)));
    } else if (action instanceof ControlAction.Announce announce) {
      manager.call(c -> terms.announce(c, announce));
      return new ControlAnswer.Announced();
    } else if (action instanceof ControlAction.Accept accept) {
      return accept(accept);
    } else if (action instanceof ControlAction.Release release) {
      return release(release);
    } else if (action instanceof ControlAction.Register register) {
      manager.call(
          c -> {
            self.register(c, registration, manager.identity(), register.active(), register.able());
            return true;
          });
      return new ControlAnswer.Registered();
    } else if (action instanceof ControlAction.Connect connect) {
      return connect(connect);
    }
    throw new IllegalArgumentException("not for the database: " + action);
  }

  /**
   * Returns the recorders to watch: those of the configuration, and removed ones for which this
   * host is still active.
   */
  private Set<Integer> ofInterest() {
    Set<Integer> lockIds = new HashSet<>(registration.lockIds());
    lockIds.addAll(guards.keySet());
    return lockIds;
  }

  private ControlAnswer connect(ControlAction.Connect connect) {
    guards.clear();
    RdsManager.Identity identity = manager.connect();
    RdsManager.Identity ended = former;
    if (ended != null) {
      // After a broken connection the server may still have this host's former session and its
      // locks.
      manager.call(c -> self.end(c, ended));
    }
    former = identity;
    Optional<String> namesake =
        manager.call(
            connection -> {
              Optional<String> other = self.takeName(connection);
              if (other.isEmpty()) {
                time.told(
                    self.register(connection, registration, identity, Set.of(), connect.able()));
                beginnings.prepareStatements(connection, identity);
              }
              return other;
            });
    if (namesake.isPresent()) {
      disconnect(namesake.get());
      return new ControlAnswer.NameInUse(namesake.get());
    }
    return new ControlAnswer.Connected(identity.pid());
  }

  private ControlAnswer beat(ControlAction.Beat beat) {
    Optional<Instant> at = manager.callUrgently(c -> self.beat(c, beat, manager.identity()));
    if (at.isEmpty()) {
      throw new DatabaseException(
          DatabaseErrorKind.UNREACHABLE,
          "the row of " + manager.machine() + " in info_recorders is no longer this session's");
    }
    time.told(at.get());
    return new ControlAnswer.Renewed();
  }

  private ControlAnswer take(ControlAction.Take take) {
    Optional<LockGuard> granted = LockGuard.tryAcquire(manager, take.lockId());
    if (granted.isEmpty()) {
      return new ControlAnswer.LockHeld();
    }
    LockGuard guard = granted.get();
    boolean begun = false;
    try {
      ControlAnswer.Taken taken = begin(List.of(take)).get(take.lockId());
      begun = taken != null;
      return taken == null ? new ControlAnswer.Moved() : taken;
    } catch (DatabaseException e) {
      if (e.kind() == DatabaseErrorKind.BUSY && manager.isConnected()) {
        // A transaction that the dead host left open may lock the row: end its sessions.
        manager.call(c -> terms.endLeftovers(c, take));
      }
      throw e;
    } finally {
      if (begun) {
        guards.put(take.lockId(), guard);
      } else if (manager.isConnected()) {
        guard.close();
      }
    }
  }

  private Map<Integer, ControlAnswer.Taken> begin(List<ControlAction.Take> takes) {
    return manager.call(c -> beginnings.begin(c, takes, manager.identity()));
  }

  /**
   * Takes several recorders. If one row is not available in time, no term begins, and all locks are
   * released.
   */
  private ControlAnswer takeSeveral(List<ControlAction.Take> takes) {
    Map<Integer, LockGuard> granted =
        LockGuard.tryAcquireAll(
            manager,
            takes.stream().map(ControlAction.Take::lockId).collect(Collectors.toUnmodifiableSet()));
    Map<Integer, ControlAnswer.Taken> begun = new HashMap<>();
    try {
      begun.putAll(begin(takes.stream().filter(t -> granted.containsKey(t.lockId())).toList()));
    } finally {
      granted.forEach(
          (lockId, guard) -> {
            if (begun.containsKey(lockId)) {
              guards.put(lockId, guard);
            } else if (manager.isConnected()) {
              guard.close();
            }
          });
    }
    List<ControlAnswer> answers = new ArrayList<>();
    for (ControlAction.Take take : takes) {
      ControlAnswer.Taken taken = begun.get(take.lockId());
      answers.add(
          taken != null
              ? taken
              : granted.containsKey(take.lockId())
                  ? new ControlAnswer.Moved()
                  : new ControlAnswer.LockHeld());
    }
    return new ControlAnswer.TookSeveral(answers);
  }

  /** Accepts an order. A failure to read the order does not end the session. */
  private ControlAnswer accept(ControlAction.Accept accept) {
    try {
      return manager.call(c -> terms.accept(c, accept))
          ? new ControlAnswer.Accepted()
          : new ControlAnswer.Withdrawn();
    } catch (DatabaseException e) {
      if (e.sessionSurvives() && e.kind() != DatabaseErrorKind.BUSY && manager.isConnected()) {
        return new ControlAnswer.Busy("an order to hand over cannot be taken: " + e.getMessage());
      }
      throw e;
    }
  }

  private ControlAnswer release(ControlAction.Release release) {
    try {
      manager.call(c -> terms.endTerm(c, release));
    } catch (DatabaseException e) {
      boolean firstTime =
          !Objects.equals(endedFor.put(release.lockId(), release.epoch()), release.epoch());
      if (e.kind() == DatabaseErrorKind.BUSY && manager.isConnected() && firstTime) {
        // An own data session that hangs or is cut off may lock the row. This is done once per
        // term: if a foreign session locks the row, the other recorders here must not be
        // interrupted repeatedly.
        manager.call(terms::endOwnDataSessions);
      }
      throw e;
    }
    LockGuard guard = guards.remove(release.lockId());
    if (guard != null) {
      guard.close();
    }
    return new ControlAnswer.Released();
  }

  /** Ends the session. PostgreSQL then frees its locks. */
  @Override
  public void close() {
    disconnect("closed");
  }
}
