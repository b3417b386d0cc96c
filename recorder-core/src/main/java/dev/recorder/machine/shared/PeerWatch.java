package dev.recorder.machine.shared;

import dev.recorder.leadership.postgres.PeerSession;
import dev.recorder.logging.LogContext;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the end of a peer's session, on a session and a thread of its own, so that the control
 * loop looks at once and not at its next turn. It decides nothing: without it a takeover begins
 * some milliseconds later. It follows one peer at a time, and has no session while it follows none.
 * {@link #follow} is for one thread.
 */
public final class PeerWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);

  /**
   * Pause between two reports of the same end: the takeover takes a moment, and an early report may
   * have been missed.
   */
  private static final Duration BETWEEN = Duration.ofMillis(250);

  private static final Duration RETRY = Duration.ofSeconds(2);

  private final Sessions sessions;
  private final NamedThreadFactory threads;
  private final Semaphore changed = new Semaphore(0);
  private volatile String followed = "";
  private volatile Runnable onEnd = () -> {};
  private volatile @Nullable PeerSession session;
  private volatile boolean closed;
  private boolean started;

  /** Creates a watch that follows no peer yet. */
  PeerWatch(Sessions sessions, FatalErrorHandler fatal) {
    this.sessions = sessions;
    this.threads = new NamedThreadFactory("peer-watch", fatal);
  }

  /**
   * Follows this peer from the next wait on; none if the name is empty.
   *
   * @param onEnd run on the watch's thread when the peer's session has ended, or had ended already
   */
  public void follow(String peer, Runnable onEnd) {
    if (peer.equals(followed)) {
      return;
    }
    this.onEnd = onEnd;
    followed = peer;
    changed.release();
    if (!started) {
      started = true;
      threads.newThread(this::work).start();
    }
  }

  @Override
  public void close() {
    closed = true;
    changed.release();
    PeerSession current = session;
    if (current != null) {
      current.close();
    }
  }

  private void work() {
    try (LogContext context = LogContext.of(sessions.machine())) {
      while (!closed) {
        if (followed.isEmpty()) {
          changed.acquire();
        } else {
          waitOnASession();
        }
        changed.drainPermits();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until there is no peer to follow, or the session breaks. */
  private void waitOnASession() throws InterruptedException {
    try (PeerSession opened = PeerSession.open(sessions)) {
      session = opened;
      for (String peer = followed; !closed && !peer.isEmpty(); peer = followed) {
        if (opened.awaitEnd(peer)) {
          log.debug("{}: its session has ended", peer);
          onEnd.run();
          Pause.sleep(BETWEEN);
        }
      }
    } catch (DatabaseException without) {
      log.debug("the end of {} is not waited for: {}", followed, without.getMessage());
      if (!closed) {
        Pause.sleep(RETRY);
      }
    } finally {
      session = null;
    }
  }
}
