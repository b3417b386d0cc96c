package dev.recorder.machine.poll;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.slotlog.postgres.PollSession;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for new rows of all logs at once, on a session and a thread of its own: every {@value
 * PollPace#EVERY_MILLIS} ms one statement, for at most {@value PollRound#MOST_LOGS} of the logs
 * whose writers wait. With up to a hundred logs, each is looked at in every look; with more, they
 * take turns. With up to a hundred logs, and no news for ten seconds, it looks every {@value
 * PollPace#CALM_MILLIS} ms. Notifications of producers are received at once.
 *
 * <p>While this session is missing, each log's writer looks for itself every second ({@link
 * RowSignal#LONGEST_UNSEEN}). Without a log there is no session, and before the first log no
 * thread. Thread-safe.
 */
public final class RowPoller implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RowPoller.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final Sessions sessions;
  private final Ticker ticker = Ticker.system();
  private final NamedThreadFactory threads;
  private final List<RowSignal> signals = new CopyOnWriteArrayList<>();
  private final Semaphore changed = new Semaphore(0);
  private volatile @Nullable PollSession session;
  private volatile boolean closed;

  @GuardedBy("this")
  private boolean started;

  // Used by the polling thread only.
  private String trouble = "";

  public RowPoller(Sessions sessions, FatalErrorHandler fatal) {
    this.sessions = sessions;
    this.threads = new NamedThreadFactory("lookout", fatal);
  }

  /** Returns a place to wait for rows of this log; the caller closes it. */
  public synchronized RowSignal signal(RecorderName recorder) {
    RowSignal signal = new RowSignal(recorder, signals::remove, ticker.nanos());
    signals.add(signal);
    changed.release();
    if (!started && !closed) {
      started = true;
      threads.newThread(this::work).start();
    }
    return signal;
  }

  /** Ends the session, from any thread; it is opened again if there are logs to look for. */
  public void abort() {
    PollSession current = session;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    changed.release();
    abort();
  }

  private void work() {
    try (LogContext context = LogContext.of(sessions.machine())) {
      while (!closed) {
        if (signals.isEmpty()) {
          changed.acquire();
        } else {
          look();
        }
        changed.drainPermits();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks until no log is left, or the session breaks. */
  private void look() throws InterruptedException {
    try (PollSession opened = PollSession.open(sessions)) {
      session = opened;
      PollRound round = new PollRound(opened, signals, ticker);
      while (!closed && !signals.isEmpty()) {
        long begun = ticker.nanos();
        round.look();
        isFine();
        long next = begun + round.pace().toNanos();
        round.listen(until(next));
        Pause.sleep(until(next)); // Limits how often writers are told.
      }
    } catch (DatabaseException noLook) {
      isBroken(String.valueOf(noLook.getMessage()));
    } finally {
      session = null;
    }
  }

  private Duration until(long next) {
    return Duration.ofNanos(next - ticker.nanos());
  }

  private void isFine() {
    if (!trouble.isEmpty()) {
      trouble = "";
      log.info(LogEvent.LOOKING_TOGETHER, "looking for new rows of all logs at once again");
    }
  }

  private void isBroken(String why) throws InterruptedException {
    if (trouble.isEmpty() && !closed) {
      log.info(
          LogEvent.LOOKING_LOG_BY_LOG, "looking for new rows log by log, every second: {}", why);
    }
    trouble = why;
    signals.forEach(signal -> signal.pollerIsGone(ticker.nanos()));
    Pause.sleep(RETRY);
  }
}
