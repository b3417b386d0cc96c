package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of the thread that owns the session of all waits. Without waits, the thread sleeps.
 * Otherwise it waits on the session's socket, and accepts new waits every few milliseconds.
 */
final class WaitLoop implements Runnable {
  /** The longest single wait on the socket, and so the longest delay of a new wait. */
  private static final Duration SLICE = Duration.ofMillis(5);

  /** The pause between two attempts to open a session. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Supplier<WaitSession> sessions;
  private final Ticker ticker;

  /** Bounded by {@link RecordedWaits#MOST}. */
  private final BlockingQueue<RecordingWait> arrivals = new LinkedBlockingQueue<>();

  // Used only by the loop's thread.
  private final Map<RecorderName, LogWaits> logs = new HashMap<>();
  private Set<String> told = Set.of();

  private volatile @Nullable WaitSession session;
  private volatile boolean closed;

  WaitLoop(Supplier<WaitSession> sessions, Ticker ticker) {
    this.sessions = sessions;
    this.ticker = ticker;
  }

  void add(RecordingWait wait) {
    arrivals.add(wait);
    if (closed) {
      wait.fail(closed());
    }
  }

  /** Ends the loop. May be called on any thread, which must then interrupt the loop's thread. */
  void close() {
    closed = true;
    closeSession();
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        receive();
        if (!closed) {
          turn();
        }
      }
    } finally {
      close();
      arrivals.forEach(wait -> wait.fail(closed()));
      logs.values().forEach(log -> log.failAll(closed()));
    }
  }

  private static WaitException closed() {
    return new WaitException(Reason.CLOSED, "the waits were closed");
  }

  /** Accepts new waits. Blocks while there are no waits. */
  private void receive() {
    try {
      if (logs.isEmpty()) {
        receive(arrivals.take());
      } else if (logs.values().stream().allMatch(LogWaits::isEmpty)) {
        receive(arrivals.poll(LogWaits.LINGER.toMillis(), TimeUnit.MILLISECONDS));
      }
    } catch (InterruptedException shorter) {
      // After close() the loop ends. Otherwise a connection source has left the interrupt.
    }
    List<RecordingWait> come = new ArrayList<>();
    arrivals.drainTo(come);
    come.forEach(this::receive);
  }

  private void receive(@Nullable RecordingWait wait) {
    if (wait != null) {
      logs.computeIfAbsent(wait.recorder(), name -> new LogWaits(name, ticker.nanos())).add(wait);
    }
  }

  private void turn() {
    try {
      WaitSession current = session();
      for (LogWaits log : logs.values()) {
        log.turn(current, told.contains(log.channel()), ticker.nanos());
      }
      told = Set.of();
      leaveIdle(current);
      if (logs.values().stream().anyMatch(log -> !log.isEmpty())) {
        told = current.await(SLICE);
      }
    } catch (SQLException e) {
      lose(DatabaseException.of(e));
    } catch (DatabaseException e) {
      lose(e);
    }
  }

  private WaitSession session() {
    WaitSession current = session;
    if (current == null) {
      current = sessions.get();
      session = current;
      if (closed) {
        closeSession();
      }
    }
    return current;
  }

  private void leaveIdle(WaitSession current) throws SQLException {
    long now = ticker.nanos();
    for (LogWaits log : List.copyOf(logs.values())) {
      if (log.isIdle(now)) {
        log.leave(current);
        logs.values().remove(log);
      }
    }
  }

  /**
   * Closes a lost session. The next session may lead to another server, so all waits are queried
   * again.
   */
  private void lose(DatabaseException why) {
    closeSession();
    session = null;
    told = Set.of();
    logs.values().forEach(LogWaits::lostSession);
    String message = String.valueOf(why.getMessage());
    if (why.kind() == DatabaseErrorKind.UNREACHABLE || why.kind() == DatabaseErrorKind.BUSY) {
      WaitException late = new WaitException(Reason.NO_ANSWER, message);
      logs.values().forEach(log -> log.failThoseDue(ticker.nanos(), late));
    } else {
      WaitException refused = new WaitException(Reason.REFUSED, message);
      logs.values().forEach(log -> log.failAll(refused));
    }
    logs.values().removeIf(LogWaits::isEmpty);
    Pause.sleepRegardless(PAUSE);
  }

  private void closeSession() {
    WaitSession current = session;
    if (current != null) {
      current.close();
    }
  }
}
