package dev.recorder.requests.worker;

import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Plurals;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.holders.LockHolderLog;
import dev.recorder.requests.postgres.ListenSession;
import dev.recorder.requests.postgres.ListenSession.ClearedBatch;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for notifications and, as side jobs, frees requests of silent hosts, reports foreign
 * holders of entity locks, and clears settled requests. One thread per host. Only speed depends on
 * it: requests are found without notifications, and a silent host's sessions end by themselves,
 * later.
 */
final class RequestMaintenance implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RequestMaintenance.class);
  private static final Duration RECONNECT = Duration.ofSeconds(1);
  private static final Duration EVICT_EVERY = Duration.ofSeconds(2);
  private static final Duration NAME_EVERY = Duration.ofSeconds(5);

  /** The longest time of clearing without a pause. */
  private static final Duration STRETCH = Duration.ofMillis(300);

  /** The number of rows that one step of clearing looks at; notifications wait for a step. */
  private static final int SPAN = 2_000;

  private final Sessions sessions;
  private final Duration silence;
  private final MaintenanceOwner owner;
  private final Ticker ticker;
  private final Thread thread;
  private volatile @Nullable ListenSession session;
  private final Map<RecorderName, ClearingProgress> walks = new HashMap<>();
  private final LockHolderLog foreignHolders = new LockHolderLog(log);
  private volatile boolean closed;
  private boolean told;

  /** Access to the host's recorders; called on the maintenance thread. */
  interface MaintenanceOwner {
    /** The current recorders. */
    Collection<BackEndSettings> recorders();

    /** Whether settled requests may be cleared now. */
    boolean mayClear(BackEndSettings recorder);

    /** A notification for this recorder has arrived. */
    void notified(String recorder);
  }

  /**
   * @param silence after which the sessions of a silent host are ended
   */
  RequestMaintenance(
      Sessions sessions, Duration silence, MaintenanceOwner owner, Supervision supervision) {
    this.sessions = sessions;
    this.silence = silence;
    this.owner = owner;
    this.ticker = supervision.ticker();
    this.thread = new NamedThreadFactory("listen", supervision.fatal()).newThread(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try (LogContext context = LogContext.of(sessions.machine())) {
      while (!closed) {
        listen();
        Pause.sleep(RECONNECT);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs until the session is lost. */
  private void listen() {
    try (ListenSession opened = ListenSession.open(sessions)) {
      session = opened;
      List<RecorderName> heard = List.of();
      long evictedAt = ticker.nanos();
      long namedAt = evictedAt;
      while (!closed) {
        List<RecorderName> wanted = owner.recorders().stream().map(BackEndSettings::name).toList();
        if (!wanted.equals(heard)) {
          opened.listen(wanted);
          heard = wanted;
        }
        opened.await(EVICT_EVERY).forEach(owner::notified);
        if (isOver(EVICT_EVERY, evictedAt)) {
          evict(opened);
          evictedAt = ticker.nanos();
          clear(opened); // Not after each notification, since notifications may never stop.
        }
        if (isOver(NAME_EVERY, namedAt)) {
          foreignHolders.are(
              owner.recorders().stream()
                  .flatMap(each -> opened.foreignHolders(each.name(), each.lockId()).stream())
                  .toList());
          namedAt = ticker.nanos();
        }
      }
    } catch (DatabaseException e) {
      log.debug("not listening for a while: {}", e.getMessage());
    } catch (RuntimeException bug) {
      if (!closed && !told) {
        told = true; // The failure may recur each second, and is logged once.
        log.error(
            LogEvent.BUG,
            "bug: the thread that listens failed in an unforeseen way, and continues",
            bug);
      }
    } finally {
      session = null;
    }
  }

  private boolean isOver(Duration interval, long since) {
    return ticker.nanos() - since >= interval.toNanos();
  }

  private void evict(ListenSession opened) {
    int ended = opened.evictSilent(silence);
    if (ended > 0) {
      log.info(
          LogEvent.SILENT_SESSIONS_ENDED,
          "{} {} of silent hosts ended: the requests they held are free",
          ended,
          Plurals.word(ended, "session", "sessions"));
    }
  }

  /**
   * Clears in limited stretches, since silent hosts must be evicted in time, however long a table
   * is.
   */
  private void clear(ListenSession opened) {
    long began = ticker.nanos();
    for (BackEndSettings recorder : owner.recorders()) {
      Duration history = recorder.history();
      ClearingProgress walk =
          walks.computeIfAbsent(recorder.name(), any -> new ClearingProgress(ticker.nanos()));
      while (history != null
          && !closed
          && owner.mayClear(recorder)
          && walk.isDue(ticker.nanos())
          && !isOver(STRETCH, began)) {
        long asked = ticker.nanos();
        ClearedBatch batch = opened.clear(recorder.name(), history, walk.upTo(), SPAN);
        walk.step(batch, asked, ticker.nanos());
        opened.await(Duration.ofMillis(1)).forEach(owner::notified);
        if (walk.upTo() == 0 && walk.removed() > 0) {
          log.info(
              LogEvent.REQUESTS_CLEARED,
              "{}: {} settled {} deleted from the table after history",
              recorder.name(),
              walk.removed(),
              Plurals.word(walk.removed(), "request", "requests"));
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    ListenSession current = session;
    if (current != null) {
      current.close();
    }
  }
}
