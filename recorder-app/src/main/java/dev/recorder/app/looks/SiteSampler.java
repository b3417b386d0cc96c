package dev.recorder.app.looks;

import dev.recorder.logging.LogEvent;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.site.Takeover;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the database as {@link SampleSchedule} schedules it, for the readers of metrics and of
 * the page. Readers get the last sample and never wait. The sampler has its own thread and session.
 * A sample fails if a statement takes longer than {@link #ANSWER_WITHIN}, and is tried again after
 * {@link #RETRY}. Until a sample succeeds, readers get the last one, with its age. Thread-safe.
 */
public final class SiteSampler implements AutoCloseable {
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  static final Duration RETRY = Duration.ofSeconds(2);
  static final int RECEIPTS = 200;

  /**
   * The interval at which the schedule is asked, and so the delay until a new reader has an effect.
   */
  private static final Duration TICK = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(SiteSampler.class);

  private final Sessions sessions;
  private final DatabaseSampling looking;
  private final Ticker ticker = Ticker.system();
  private final SampleSchedule rhythm = new SampleSchedule();
  private final SiteTimeSeries curves = new SiteTimeSeries();
  private final Thread thread;

  /** Used by the sampler's thread alone. */
  private boolean toldOfBug;

  private volatile LatestSample last = LatestSample.NONE;

  private SiteSampler(Sessions sessions, DatabaseSampling looking) {
    this.sessions = sessions;
    this.looking = looking;
    this.thread = new NamedThreadFactory("sample").newThread(this::work);
  }

  /** Starts sampling. */
  public static SiteSampler start(Sessions sessions, DatabaseSampling looking) {
    SiteSampler sampler = new SiteSampler(sessions, looking);
    sampler.thread.start();
    return sampler;
  }

  /** Returns the last sample, for metrics. Asking makes samples more frequent for a while. */
  public LatestSample scraped() {
    rhythm.scraped(ticker.nanos());
    return last;
  }

  /** Returns the last sample, for the page. Asking makes samples more frequent for a while. */
  public LatestSample viewed() {
    rhythm.viewed(ticker.nanos());
    return last;
  }

  /** Returns the last sample, for infrequent readers. Does not change the schedule. */
  public LatestSample last() {
    return last;
  }

  /** Returns the curves of the last quarter of an hour. */
  public SiteTimeSeries curves() {
    return curves;
  }

  /** Whether a host other than {@code host} has this log or could take it; true if unknown. */
  public boolean isElsewhere(String recorder, String host) {
    LatestSample now = last;
    return !now.ok() || now.look() == null || now.look().isElsewhere(recorder, host);
  }

  private void work() {
    try {
      while (true) {
        String why = lookWhileItWorks();
        last = last.outdated(why); // The last sample may have arrived meanwhile.
        curves.interrupted();
        Pause.sleep(RETRY);
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes samples until the database does not answer properly, and returns the failure. */
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
      return String.valueOf(unreachable.getMessage()); // Not logged: the machine logs it.
    } catch (RuntimeException bug) {
      if (!toldOfBug) {
        log.error(LogEvent.BUG, "bug: the database could not be looked at", bug);
        toldOfBug = true;
      }
      return "";
    }
  }

  private void look(Inspection database) {
    SampleCost effort = SampleCost.begin(ticker);
    SiteSample look = looking.at(database);
    List<Takeover> receipts = database.takeovers(Optional.empty(), RECEIPTS);
    long ended = ticker.nanos();
    last = LatestSample.of(look, ended, effort.lasted(ended), receipts);
    curves.add(ended, look);
    rhythm.looked(ended, effort.nanos(ended));
  }

  private void glance(Inspection database) {
    last = last.with(database.takeovers(Optional.empty(), RECEIPTS));
    rhythm.glanced(ticker.nanos());
  }

  /** Stops sampling. A running sample ends by its time limit. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
