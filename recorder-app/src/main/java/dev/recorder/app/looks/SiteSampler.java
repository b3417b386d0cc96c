package dev.recorder.app.looks;

import dev.recorder.logging.LogEvent;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.site.Takeover;
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
 * Looks at the database as {@link Rhythm} says, on a thread and a session of its own, for all who
 * read figures or the page; they never wait for it. Gives a look up after {@link #ANSWER_WITHIN}
 * without an answer to one of its statements, and tries again after {@link #RETRY}; what was found
 * last is shown on, with its age. Thread-safe.
 */
public final class SiteSampler implements AutoCloseable {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  static final Duration RETRY = Duration.ofSeconds(2);
  static final int RECEIPTS = 200;

  /** How soon a new reader is noticed. */
  private static final Duration TICK = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(SiteSampler.class);

  private final Sessions sessions;
  private final Looking looking;
  private final Ticker ticker = Ticker.system();
  private final Rhythm rhythm = new Rhythm();
  private final Curves curves = new Curves();
  private final Thread thread;

  /** Of its own thread. */
  private boolean toldOfBug;

  private volatile Sample last = Sample.NONE;

  private SiteSampler(Sessions sessions, Looking looking) {
    this.sessions = sessions;
    this.looking = looking;
    this.thread = new NamedThreads("sample").newThread(this::work);
  }

  /** Looks from now on. */
  public static SiteSampler start(Sessions sessions, Looking looking) {
    SiteSampler sampler = new SiteSampler(sessions, looking);
    sampler.thread.start();
    return sampler;
  }

  /** As of the last look; whoever scrapes has it looked at more often for a while. */
  public Sample scraped() {
    rhythm.scraped(ticker.nanos());
    return last;
  }

  /** As of the last look; whoever views the page has it looked at more often for a while. */
  public Sample viewed() {
    rhythm.viewed(ticker.nanos());
    return last;
  }

  /** As of the last look, for one who reads seldom. */
  public Sample last() {
    return last;
  }

  /** Of the last quarter of an hour. */
  public Curves curves() {
    return curves;
  }

  /** Whether another host than {@code host} has this log or could take it; also if unknown. */
  public boolean isElsewhere(String recorder, String host) {
    Sample now = last;
    return !now.ok() || now.look() == null || now.look().isElsewhere(recorder, host);
  }

  private void work() {
    try {
      while (true) {
        String why = lookWhileItWorks();
        last = last.outdated(why); // The last look, which came meanwhile.
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
        switch (rhythm.next(ticker.nanos())) {
          case LOOK -> look(database);
          case GLANCE -> glance(database);
          case WAIT -> Pause.sleep(TICK);
        }
      }
    } catch (DatabaseException unreachable) {
      return String.valueOf(unreachable.getMessage()); // Who works with the database logs it.
    } catch (RuntimeException bug) {
      if (!toldOfBug) {
        log.error(LogEvent.BUG, "bug: the database could not be looked at", bug);
        toldOfBug = true;
      }
      return "";
    }
  }

  private void look(Inspection database) {
    Effort effort = Effort.begin(ticker);
    SiteLook look = looking.at(database);
    List<Takeover> receipts = database.takeovers(Optional.empty(), RECEIPTS);
    long ended = ticker.nanos();
    last = Sample.of(look, ended, effort.lasted(ended), receipts);
    curves.add(ended, look);
    rhythm.looked(ended, effort.nanos(ended));
  }

  private void glance(Inspection database) {
    last = last.with(database.takeovers(Optional.empty(), RECEIPTS));
    rhythm.glanced(ticker.nanos());
  }

  /** Stops looking; a look in flight ends by its time limit. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
