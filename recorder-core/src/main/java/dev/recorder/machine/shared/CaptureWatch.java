package dev.recorder.machine.shared;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.CaptureKeeping;
import dev.recorder.capture.postgres.CaptureNews;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.schedule.Chore;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.machine.schedule.Schedule;
import dev.recorder.machine.schedule.ScheduledChore;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks, every half minute and soon after a term has begun, that the wanted tables are captured:
 * for logs that this host is active for, and for recorders of requests that it works on and whose
 * documents are built from tables. One look covers all of them, on a session of its own. For any
 * thread.
 */
public final class CaptureWatch implements ChoreWork {
  private static final Logger log = LoggerFactory.getLogger(CaptureWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(30);

  /** Delay of a look after a term began, so that terms that begin together share one look. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private final DataSession session;
  private final ConditionBoard conditions;
  private final CaptureKeeping keeping;
  private final Map<RecorderName, WatchedTerm> watched = new ConcurrentHashMap<>();
  private final ScheduledChore chore;
  private volatile List<CaptureRule> wanted = List.of();
  private volatile Map<RecorderName, WatchedTerm> ofRequests = Map.of();

  // Used by one turn at a time.
  private final ToldOnce told = new ToldOnce();

  /**
   * A recorder whose captures are checked.
   *
   * @param epoch of the log's term; 0 for requests
   * @param mayWrite whether this host is still responsible for the recorder, as of now
   */
  private record WatchedTerm(String machine, long epoch, BooleanSupplier mayWrite) {}

  /** Creates a watch without recorders. */
  CaptureWatch(String machine, DataSession session, Schedule schedule, ConditionBoard conditions) {
    this.session = session;
    this.conditions = conditions;
    this.keeping = new CaptureKeeping(session, Ticker.system());
    this.chore =
        schedule.begin(
            new Chore("a look at captures", EVERY, session, () -> LogContext.of(machine), this));
  }

  /**
   * Sets the captures of the configuration file.
   *
   * @param works whether this host works on requests, as of now
   */
  public void want(MachineSettings settings, BooleanSupplier works) {
    wanted = settings.captures();
    ofRequests =
        settings.ofDocuments().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Function.identity(), name -> new WatchedTerm(settings.name(), 0, works)));
    keeping.tryAll();
    chore.dueIn(SOON);
  }

  /** Notes that a term of a log has begun. */
  public void begin(RecorderName recorder, Term term, BooleanSupplier mayWrite) {
    watched.put(recorder, new WatchedTerm(term.machine(), term.epoch(), mayWrite));
    chore.dueIn(SOON);
  }

  /** Notes that the recorder's term is over, or is being left. */
  public void end(RecorderName recorder) {
    watched.remove(recorder);
    conditions.state(recorder.value(), About.CAPTURE, null);
  }

  private boolean isNeeded() {
    return !watched.isEmpty() || !ofRequests.isEmpty();
  }

  @Override
  public void turn() throws InterruptedException {
    CaptureKeeping.WatchedRecorders now =
        new CaptureKeeping.WatchedRecorders(
            working(watched.keySet()), working(ofRequests.keySet()));
    if (!now.logs().isEmpty() || !now.requests().isEmpty()) {
      List<CaptureNews> news = keeping.look(now, wanted, this::works);
      now.logs().forEach(recorder -> state(recorder, news));
      now.requests().forEach(recorder -> state(recorder, news));
      told.of(news).forEach(this::tell);
    }
  }

  /** States the first problem that loses changes, and how many more there are, for operators. */
  private void state(RecorderName recorder, List<CaptureNews> news) {
    List<CaptureNews> losses =
        news.stream()
            .filter(each -> each.kind().isLoss() && each.recorder().equals(recorder.value()))
            .toList();
    String why = null;
    if (!losses.isEmpty() && works(recorder)) {
      String more = losses.size() > 1 ? " (and %d more)".formatted(losses.size() - 1) : "";
      why = losses.get(0).about() + ": " + losses.get(0).text() + more;
    }
    conditions.state(recorder.value(), About.CAPTURE, why);
  }

  private Set<RecorderName> working(Set<RecorderName> recorders) {
    return recorders.stream().filter(this::works).collect(Collectors.toUnmodifiableSet());
  }

  private boolean works(RecorderName recorder) {
    WatchedTerm of = of(recorder);
    return of != null && of.mayWrite().getAsBoolean();
  }

  private @Nullable WatchedTerm of(RecorderName recorder) {
    WatchedTerm log = watched.get(recorder);
    return log == null ? ofRequests.get(recorder) : log;
  }

  /** Logs each reason once; an unreachable database is logged elsewhere. */
  @Override
  public void failed(DatabaseException failure, boolean isNew) {
    session.abort(); // The server rolls back what is open on it.
    if (isNew && isNeeded()) {
      log.info(
          LogEvent.CAPTURES_NOT_LOOKED_AT,
          "captures could not be checked, retrying: {}",
          failure.getMessage());
    }
  }

  private void tell(CaptureNews news) {
    WatchedTerm of = of(new RecorderName(news.recorder()));
    if (of == null) {
      return; // The recorder's next active host finds it, too.
    }
    try (LogContext context = LogContext.of(of.machine(), news.recorder(), of.epoch())) {
      String about = news.about();
      String text = news.sentence();
      switch (news.kind()) {
        case SET_UP ->
            log.info(
                LogEvent.CAPTURE_SET_UP,
                "table {} is captured from now on, as the file says",
                about);
        case ARMED ->
            log.info(
                LogEvent.PARTITION_CAPTURED,
                "writes to partition {} itself are captured from now on",
                about);
        case DISARMED ->
            log.info(
                LogEvent.TRIGGERS_REMOVED,
                "triggers of the capture of {} are removed from a table that does not belong to it: {}",
                about,
                text);
        case PERHAPS_LOST ->
            log.warn(
                LogEvent.CHANGES_MAY_BE_MISSING,
                "changes of {} may be missing in the log: {}",
                about,
                text);
        case PERHAPS_OLD ->
            log.warn(
                LogEvent.DOCUMENTS_MAY_BE_OLD, "documents may lack changes of {}: {}", about, text);
        case NOT_SET_UP ->
            log.warn(
                LogEvent.TABLE_NOT_CAPTURED,
                "table {} should be captured but is not: {}",
                about,
                text);
        case OTHERWISE ->
            log.warn(
                LogEvent.CAPTURED_OTHERWISE,
                "table {} is captured with other options than in the file: {}",
                about,
                text);
        case NOT_ARMED ->
            log.warn(
                LogEvent.PARTITION_NOT_CAPTURED,
                "writes to partition {} itself are not captured: {}",
                about,
                text);
        case LOSING ->
            log.warn(
                LogEvent.CAPTURE_LOSES_CHANGES,
                "the capture of {} misses changes: {}",
                about,
                text);
        case REMARK -> log.info(LogEvent.CAPTURE_REMARK, "the capture of {}: {}", about, text);
      }
    }
  }
}
