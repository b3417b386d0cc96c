package dev.recorder.machine.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A chore that repeats until it is closed. Thread-safe. */
public final class ScheduledChore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ScheduledChore.class);

  /** How long a chore rests after a failure with an answer, such as a locked or missing table. */
  static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  private final Schedule schedule;
  private final Chore chore;

  @GuardedBy("this")
  private TurnPhase phase = TurnPhase.WAITING;

  @GuardedBy("this")
  private boolean closed;

  @GuardedBy("this")
  private long due;

  @GuardedBy("this")
  private @Nullable Future<?> alarm;

  /** When the next turn was requested, while a turn was in progress. */
  @GuardedBy("this")
  private @Nullable Long asked;

  // Used by one turn at a time.
  private String lastBug = "";
  private String lastFailure = "";

  private enum TurnPhase {
    /** For its due time. */
    WAITING,
    /** On the lane, perhaps behind other work. */
    HANDED,
    RUNNING
  }

  ScheduledChore(Schedule schedule, Chore chore) {
    this.schedule = schedule;
    this.chore = chore;
    synchronized (this) {
      await(schedule.now() + chore.every().toNanos());
    }
  }

  /** Requests a turn within {@code delay}, or when the current turn is over. */
  public synchronized ScheduledChore dueIn(Duration delay) {
    long at = schedule.now() + delay.toNanos();
    if (phase != TurnPhase.WAITING) {
      asked = asked == null ? Long.valueOf(at) : Long.valueOf(earlier(asked, at));
    } else if (!closed && at - due < 0) {
      cancelAlarm();
      await(at);
    }
    return this;
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  @GuardedBy("this")
  private void await(long at) {
    due = at;
    alarm = schedule.ring(at - schedule.now(), this::wake);
  }

  @GuardedBy("this")
  private void cancelAlarm() {
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  private void wake() {
    synchronized (this) {
      if (closed || phase != TurnPhase.WAITING) {
        return;
      }
      phase = TurnPhase.HANDED;
    }
    if (!schedule.hand(chore.lane(), this::turn)) {
      over(chore.every());
    }
  }

  private void turn() {
    if (begins()) {
      over(work());
    }
  }

  private synchronized boolean begins() {
    phase = closed ? TurnPhase.WAITING : TurnPhase.RUNNING;
    return !closed;
  }

  /** Does the work, and returns the time until the next turn. */
  private Duration work() {
    try (LogContext context = chore.context().get()) {
      return attempt();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      if (chore.lane() instanceof DataSession session) {
        session.abort(); // The server rolls back what is open on it.
      }
      tell(bug);
    }
    return chore.every();
  }

  private Duration attempt() throws InterruptedException {
    try {
      chore.work().turn();
      lastFailure = "";
      return chore.every();
    } catch (DatabaseException notNow) {
      log.debug("{}: not now: {}", chore.name(), notNow.getMessage());
      String why = notNow.kind() + ": " + notNow.getMessage();
      boolean isNew = !why.equals(lastFailure);
      lastFailure = why;
      chore.work().failed(notNow, isNew);
      boolean answers = notNow.kind() != DatabaseErrorKind.UNREACHABLE;
      return answers && chore.every().compareTo(AFTER_FAILURE) < 0 ? AFTER_FAILURE : chore.every();
    }
  }

  private void tell(RuntimeException bug) {
    if (!bug.toString().equals(lastBug)) {
      lastBug = bug.toString();
      log.error(
          LogEvent.BUG,
          "bug: {} failed in an unforeseen way, and is tried again",
          chore.name(),
          bug);
    }
  }

  private synchronized void over(Duration pause) {
    phase = TurnPhase.WAITING;
    Long sooner = asked;
    asked = null;
    if (!closed) {
      long next = Chore.next(due, pause.toNanos(), schedule.now());
      await(sooner == null ? next : earlier(sooner, next));
    }
  }

  /** Ends the chore: no turn follows, and the current one is aborted. */
  @Override
  public synchronized void close() {
    closed = true;
    cancelAlarm();
    if (phase == TurnPhase.RUNNING) {
      chore.work().abort();
    }
  }
}
