package dev.recorder.metrics;

import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One machine from its start on, with its recorders. Thread-safe.
 *
 * <p>A recorder that leaves the configuration is no longer shown, but keeps its figures until the
 * machine ends, in case it returns: their number is bounded by the names that the configuration
 * ever had.
 */
public final class MachineMetrics {
  private final Ticker ticker;
  private final List<String> reasons;
  private final Map<String, LogMetrics> logs = new ConcurrentHashMap<>();
  private final Map<String, RequestMetrics> requests = new ConcurrentHashMap<>();
  private final Map<String, Histogram> gaps = new TreeMap<>();
  private final LongAdder sessionsLost = new LongAdder();
  private volatile Set<String> configured = Set.of();
  private volatile Set<String> paused = Set.of();
  private volatile long turnedAt;
  private volatile boolean everTurned;
  private volatile boolean registered;
  private volatile @Nullable ControlSessionFigures heartbeats;
  private volatile Predicate<String> elsewhere = name -> true;

  /**
   * What is known of the control session.
   *
   * @param leaseNanos for how long writes may be started, from now on; 0 or less: not at all
   * @param renewedAt when the last heartbeat was sent that was confirmed
   */
  private record ControlSessionFigures(LongSupplier leaseNanos, LongSupplier renewedAt) {}

  /**
   * Of a machine that starts now.
   *
   * @param reasons of takeovers, all that there are
   */
  public MachineMetrics(Ticker ticker, Collection<String> reasons) {
    this.ticker = ticker;
    this.reasons = List.copyOf(reasons);
    this.turnedAt = ticker.nanos();
    this.reasons.forEach(
        reason -> gaps.put(reason, new Histogram(.05, .1, .25, .5, 1., 2., 3., 5., 10., 30., 60.)));
  }

  // ---- told by the machine

  /** The recorders are these from now on. */
  public void configured(Collection<String> logNames, Collection<String> requestNames) {
    logNames.forEach(this::log);
    requestNames.forEach(this::requests);
    Set<String> all = ConcurrentHashMap.newKeySet();
    all.addAll(logNames);
    all.addAll(requestNames);
    configured = Set.copyOf(all);
  }

  /** These recorders are paused, of whatever machines. */
  public void paused(Set<String> names) {
    paused = Set.copyOf(names);
  }

  /** The control loop waits for a database that it has not reached yet. */
  public void waits() {
    turnedAt = ticker.nanos();
  }

  /** The control loop has come round once more. */
  public void turned() {
    turnedAt = ticker.nanos();
    everTurned = true;
  }

  /** Where to read what is known of heartbeats; times are the ticker's. */
  public void heartbeats(LongSupplier leaseNanos, LongSupplier renewedAt) {
    heartbeats = new ControlSessionFigures(leaseNanos, renewedAt);
  }

  /** By whom it is known of a log, by name, whether another machine has it or could take it. */
  public void elsewhere(Predicate<String> hasOrCouldTake) {
    elsewhere = hasOrCouldTake;
  }

  /** Whether there is a control session, under which the machine is registered. */
  public void registered(boolean is) {
    registered = is;
  }

  /** There was one, and it is lost. */
  public void sessionLost() {
    registered = false;
    sessionsLost.increment();
  }

  /** A recorder was taken over after nobody had been active for so long; null: ever. */
  public void gap(String reason, @Nullable Duration gap) {
    Histogram ofReason = gaps.get(reason);
    if (ofReason != null && gap != null) {
      ofReason.add(gap.toNanos());
    }
  }

  /** The figures of a log's recorder. */
  public LogMetrics log(String name) {
    return logs.computeIfAbsent(name, any -> new LogMetrics(reasons));
  }

  /** The figures of a recorder of requests. */
  public RequestMetrics requests(String name) {
    return requests.computeIfAbsent(name, any -> new RequestMetrics());
  }

  // ---- read by anybody

  /** The recorders of logs that are configured, by name. */
  public Map<String, LogMetrics> logs() {
    return only(logs, configured::contains);
  }

  /** The recorders of requests that are configured, by name. */
  public Map<String, RequestMetrics> requests() {
    return only(requests, configured::contains);
  }

  private static <T> Map<String, T> only(Map<String, T> all, Predicate<String> which) {
    Map<String, T> some = new TreeMap<>();
    all.forEach(
        (name, metrics) -> {
          if (which.test(name)) {
            some.put(name, metrics);
          }
        });
    return some;
  }

  /** Whether a recorder is configured. */
  public boolean has(String name) {
    return configured.contains(name);
  }

  /** Whether a recorder was paused when the machine last looked. */
  public boolean isPaused(String name) {
    return paused.contains(name);
  }

  /** For how long the control loop has not come round. */
  public Duration sinceTurn() {
    return since(turnedAt);
  }

  /** Whether it has come round at all: before that, tables are set up, which may take long. */
  public boolean hasTurned() {
    return everTurned;
  }

  /** Whether another machine has this log or could take it; also if nobody knows. */
  public boolean isElsewhere(String logName) {
    return elsewhere.test(logName);
  }

  public boolean isRegistered() {
    return registered;
  }

  /** Whether it has its session with the database, and its lease lasts. */
  public boolean isThere() {
    return isRegistered() && !lease().isZero();
  }

  /** Whether it is able to process these requests now, which it cannot without its session. */
  public boolean processes(RequestMetrics requests) {
    return requests.isAble() && isThere();
  }

  /** For how long writes may be started, from now on; zero if they may not. */
  public Duration lease() {
    ControlSessionFigures now = heartbeats;
    return Duration.ofNanos(now == null ? 0 : Math.max(0, now.leaseNanos.getAsLong()));
  }

  /** Since the last confirmed heartbeat was sent; null before the first. */
  public @Nullable Duration heartbeatAge() {
    ControlSessionFigures now = heartbeats;
    return now == null ? null : since(now.renewedAt.getAsLong());
  }

  /** How often a control session was lost. */
  public long sessionsLost() {
    return sessionsLost.sum();
  }

  /** How long nobody was active before this machine took over, by reason, of all recorders. */
  public Map<String, Histogram> gaps() {
    return gaps;
  }

  /** From a moment on the ticker until now. */
  public Duration since(long nanos) {
    return Duration.ofNanos(Math.max(0, ticker.nanos() - nanos));
  }
}
