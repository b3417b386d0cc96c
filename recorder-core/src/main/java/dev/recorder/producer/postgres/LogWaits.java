package dev.recorder.producer.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.producer.WaitException;
import dev.recorder.producer.WaitException.Reason;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waits for transactions of one log. Each wait queries its transaction once at its start and
 * once at its end. In between, the log's position, which is read after each notification of a slot,
 * decides for all waits. For one thread.
 */
final class LogWaits {
  /** How often the position is read without a notification of a slot. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** How long to keep listening without waiters, so that the next wait starts faster. */
  static final Duration LINGER = Duration.ofSeconds(1);

  private final RecorderName recorder;
  private final Deque<RecordingWait> coming = new ArrayDeque<>();
  private final List<RecordingWait> waiting = new ArrayList<>();
  private WaitSession.@Nullable SlotSubscription joined;
  private long lookedAt;
  private long neededAt;

  LogWaits(RecorderName recorder, long now) {
    this.recorder = recorder;
    this.lookedAt = now;
    this.neededAt = now;
  }

  void add(RecordingWait wait) {
    coming.add(wait);
  }

  String channel() {
    return SchemaNames.recordedChannel(recorder);
  }

  boolean isEmpty() {
    return coming.isEmpty() && waiting.isEmpty();
  }

  /** Returns whether there has been no wait for {@link #LINGER}. */
  boolean isIdle(long now) {
    return isEmpty() && now - neededAt >= LINGER.toNanos();
  }

  /** Ends the waits whose transaction is recorded or whose time has passed. */
  void turn(WaitSession session, boolean told, long now) throws SQLException {
    waiting.removeIf(RecordingWait::isOver);
    coming.removeIf(RecordingWait::isOver);
    if (isEmpty()) {
      return;
    }
    neededAt = now;
    boolean certain = joined != null && joined.certain();
    if (!certain) {
      joined = session.join(recorder).orElse(null);
    }
    begin(session);
    if (told || !certain || now - lookedAt >= LOOK.toNanos()) {
      look(session, now);
    }
    endThoseDue(session, now);
  }

  /** Begins new waits. Called after joining, so that later slots are notified. */
  private void begin(WaitSession session) throws SQLException {
    while (!coming.isEmpty()) {
      RecordingWait wait = coming.element();
      try {
        if (session.look(recorder, wait.xid())) {
          wait.end(true);
        } else {
          waiting.add(wait);
        }
      } catch (WaitException e) {
        if (mayPass(e.reason())) {
          waiting.add(wait);
        } else {
          wait.fail(e);
        }
      }
      coming.remove();
    }
  }

  private static boolean mayPass(Reason reason) {
    return reason == Reason.NOBODY_RUNS || reason == Reason.PAUSED;
  }

  private void look(WaitSession session, long now) throws SQLException {
    Optional<Position> position = session.position(recorder);
    lookedAt = now;
    if (position.isPresent()) {
      waiting.stream()
          .filter(wait -> position.get().hasRecorded(wait.xid()))
          .forEach(wait -> wait.end(true));
      waiting.removeIf(RecordingWait::isOver);
    }
  }

  private void endThoseDue(WaitSession session, long now) throws SQLException {
    for (RecordingWait wait : waiting) {
      if (wait.isDue(now)) {
        try {
          wait.end(session.look(recorder, wait.xid()));
        } catch (WaitException e) {
          wait.fail(e);
        }
      }
    }
    waiting.removeIf(RecordingWait::isOver);
  }

  void leave(WaitSession session) throws SQLException {
    if (joined != null) {
      session.leave(recorder, joined);
      joined = null;
    }
  }

  /**
   * Notes that the session is lost. All waits must be queried again, as the next session may lead
   * to another server.
   */
  void lostSession() {
    joined = null;
    coming.addAll(waiting);
    waiting.clear();
  }

  /** Ends the waits whose time has passed, when there is no session to answer them. */
  void failThoseDue(long now, WaitException why) {
    all().filter(wait -> wait.isDue(now)).forEach(wait -> wait.fail(why));
    coming.removeIf(RecordingWait::isOver);
  }

  void failAll(WaitException why) {
    all().forEach(wait -> wait.fail(why));
    coming.clear();
    waiting.clear();
  }

  private Stream<RecordingWait> all() {
    return Stream.concat(coming.stream(), waiting.stream());
  }
}
