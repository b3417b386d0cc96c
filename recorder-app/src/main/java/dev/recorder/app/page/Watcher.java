package dev.recorder.app.page;

import dev.recorder.app.looks.Effort;
import dev.recorder.logging.LogEvent;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.Takeover;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the database as {@link Pace} says, on a thread and a session of its own, for everybody
 * who looks at the page; they never wait for it. Gives a look up after {@link #ANSWER_WITHIN}
 * without an answer to one of its statements, and tries again after {@link #RETRY}.
 */
final class Watcher implements AutoCloseable {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  static final Duration RETRY = Duration.ofSeconds(2);
  static final int RECEIPTS = 200;

  /** How soon a new viewer is noticed. */
  private static final Duration TICK = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(Watcher.class);

  private final Sessions sessions;
  private final Looking looking;
  private final Ticker ticker;
  private final Pace pace = new Pace();
  private final Curves curves = new Curves();
  private final Thread thread;

  /** Of its own thread. */
  private boolean toldOfBug;

  private volatile BoardState lastLook = BoardState.NONE;

  private Watcher(Sessions sessions, Looking looking, Ticker ticker) {
    this.sessions = sessions;
    this.looking = looking;
    this.ticker = ticker;
    this.thread = new NamedThreads("page").newThread(this::work);
  }

  /** Looks from now on. */
  static Watcher start(Sessions sessions, Looking looking, Ticker ticker) {
    Watcher watcher = new Watcher(sessions, looking, ticker);
    watcher.thread.start();
    return watcher;
  }

  /** What is known now. Whoever asks counts as a viewer. */
  BoardState lastLook() {
    pace.asked(ticker.nanos());
    return lastLook;
  }

  Curves curves() {
    return curves;
  }

  private void work() {
    try {
      while (true) {
        String why = lookWhileItWorks();
        lastLook = lastLook.outdated(why); // The last look, which came meanwhile.
        curves.interrupted();
        Pause.sleep(RETRY);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns when the database did not answer properly: what it said. */
  private String lookWhileItWorks() throws InterruptedException {
    try (Inspection database = Inspection.open(sessions, ANSWER_WITHIN)) {
      look(database);
      while (true) {
        switch (pace.next(ticker.nanos())) {
          case LOOK -> look(database);
          case GLANCE -> glance(database);
          case WAIT -> Pause.sleep(TICK);
        }
      }
    } catch (DatabaseException unreachable) {
      return String.valueOf(unreachable.getMessage()); // For the page.
    } catch (RuntimeException bug) {
      if (!toldOfBug) {
        log.error(LogEvent.BUG, "bug: the database could not be looked at for the page", bug);
        toldOfBug = true;
      }
      return "";
    }
  }

  private void look(Inspection database) {
    Effort effort = Effort.begin(ticker);
    BoardLook look = looking.at(database);
    List<Takeover> receipts = database.takeovers(Optional.empty(), RECEIPTS);
    long ended = ticker.nanos();
    lastLook = new BoardState(look, ended, receipts, true, "");
    curves.add(ended, look);
    pace.looked(ended, effort.nanos(ended));
  }

  private void glance(Inspection database) {
    lastLook = lastLook.with(database.takeovers(Optional.empty(), RECEIPTS));
    pace.glanced(ticker.nanos());
  }

  /** Stops looking; a look in flight ends by its time limit. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
