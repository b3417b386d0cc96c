package dev.recorder.app.metrics;

import dev.recorder.app.looks.Effort;
import dev.recorder.app.looks.Rhythm;
import dev.recorder.logging.LogEvent;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the database again and again, on a thread and a session of its own, so that whoever
 * reads figures never waits for it.
 *
 * <p>It looks as {@link Rhythm} says, often from a scrape on until {@link #FORGOTTEN_AFTER}. It
 * gives up after {@link #ANSWER_WITHIN} without an answer; what was found last is shown on, with
 * its age.
 */
public final class DatabaseSample implements Exposition.Sample, AutoCloseable {
  /** Longer than from one scrape to the next, as scrapes usually come. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(45);

  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  /** How soon a scrape is noticed. */
  private static final Duration TICK = Duration.ofMillis(250);

  private static final Logger log = LoggerFactory.getLogger(DatabaseSample.class);

  private final Sessions sessions;
  private final DatabaseLook.Judgement judgement;
  private final Ticker ticker = Ticker.system();
  private final Rhythm rhythm = new Rhythm(FORGOTTEN_AFTER);
  private final Thread thread;

  /** Of its own thread. */
  private boolean toldOfBug;

  private volatile LastSample found = new LastSample(null, 0, 0, false);

  /**
   * What is known now.
   *
   * @param look the last that succeeded; null before the first
   * @param at when it had ended
   * @param tookNanos how long it took
   * @param ok whether it was the last
   */
  public record LastSample(@Nullable DatabaseLook look, long at, long tookNanos, boolean ok) {
    LastSample outdated() {
      return new LastSample(look, at, tookNanos, false);
    }
  }

  private DatabaseSample(Sessions sessions, DatabaseLook.Judgement judgement) {
    this.sessions = sessions;
    this.judgement = judgement;
    this.thread = new NamedThreads("sample").newThread(this::work);
  }

  /** Looks from now on. */
  public static DatabaseSample start(Sessions sessions, DatabaseLook.Judgement judgement) {
    DatabaseSample sample = new DatabaseSample(sessions, judgement);
    sample.thread.start();
    return sample;
  }

  @Override
  public LastSample scraped() {
    rhythm.asked(ticker.nanos());
    return found;
  }

  /** As of the last look, for one who reads seldom. */
  public LastSample found() {
    return found;
  }

  /** Whether another host than {@code host} has this log or could take it; also if unknown. */
  public boolean isElsewhere(String recorder, String host) {
    LastSample now = found;
    return !now.ok() || now.look() == null || now.look().isElsewhere(recorder, host);
  }

  @Override
  public Duration since(long nanos) {
    return Duration.ofNanos(ticker.nanos() - nanos);
  }

  private void work() {
    try {
      while (true) {
        lookWhileItWorks();
        found = found.outdated();
        Pause.sleep(Rhythm.UNREAD);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitDue() throws InterruptedException {
    while (!rhythm.isDue(ticker.nanos())) {
      Pause.sleep(TICK);
    }
  }

  /** Returns when the database did not answer properly. */
  private void lookWhileItWorks() throws InterruptedException {
    try (Inspection database = Inspection.open(sessions, ANSWER_WITHIN)) {
      while (true) {
        Effort effort = Effort.begin(ticker);
        DatabaseLook look = DatabaseLook.at(database, judgement);
        long ended = ticker.nanos();
        found = new LastSample(look, ended, effort.lasted(ended), true);
        rhythm.looked(ended, effort.nanos(ended));
        awaitDue();
      }
    } catch (DatabaseException unreachable) {
      // The figures say so; who works with the database has logged it.
    } catch (RuntimeException bug) {
      if (!toldOfBug) {
        log.error(LogEvent.BUG, "bug: the database could not be looked at for metrics", bug);
        toldOfBug = true;
      }
    }
  }

  /** Stops looking; a look in flight ends by its time limit. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
