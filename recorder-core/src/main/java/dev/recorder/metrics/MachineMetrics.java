package dev.recorder.metrics;

import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
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
 * The figures of one machine since its start, with its recorders. Thread-safe.
 *
 * <p>A recorder that is removed from the configuration is no longer shown but keeps its figures
 * until the machine ends, in case it returns. Their number is bounded by the names that the
 * configuration ever had.
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
  private volatile boolean unreached;
  private volatile boolean registered;
  private volatile @Nullable ControlSessionFigures heartbeats;
  private volatile Predicate<String> elsewhere = name -> true;

  /**
   * The control session.
   *
   * @param leaseNanos how long writes may still be started; 0 or less: not at all
   * @param renewedAt when the last confirmed heartbeat was sent
   */
  private record ControlSessionFigures(LongSupplier leaseNanos, LongSupplier renewedAt) {}

  /**
   * A machine that starts now.
   *
   * @param reasons all reasons for takeovers
   */
  public MachineMetrics(Ticker ticker, Collection<String> reasons) {
    this.ticker = ticker;
    this.reasons = List.copyOf(reasons);
    this.turnedAt = ticker.nanos();
    this.reasons.forEach(
        reason -> gaps.put(reason, new Histogram(.05, .1, .25, .5, 1., 2., 3., 5., 10., 30., 60.)));
  }

  // ---- told by the machine

  public void configured(Collection<String> logNames, Collection<String> requestNames) {
    logNames.forEach(this::log);
    requestNames.forEach(this::requests);
    Set<String> all = new HashSet<>(logNames);
    all.addAll(requestNames);
    configured = Set.copyOf(all);
  }

  /** Sets the paused recorders, of all machines. */
  public void paused(Set<String> names) {
    paused = Set.copyOf(names);
  }

  /** The control loop waits for a database that cannot be reached yet. */
  public void waits() {
    turnedAt = ticker.nanos();
  }

  /** The database could not be used yet; it is tried again. */
  public void unreached() {
    unreached = true;
  }

  public void turned() {
    turnedAt = ticker.nanos();
    unreached = false;
    everTurned = true;
  }

  /** Sets the sources of lease and heartbeats; times are the ticker's. */
  public void heartbeats(LongSupplier leaseNanos, LongSupplier renewedAt) {
    heartbeats = new ControlSessionFigures(leaseNanos, renewedAt);
  }

  /** Sets the source that knows whether another machine has a log, by name, or could take it. */
  public void elsewhere(Predicate<String> hasOrCouldTake) {
    elsewhere = hasOrCouldTake;
  }

  /** Whether the machine is registered under a control session. */
  public void registered(boolean is) {
    registered = is;
  }

  public void sessionLost() {
    registered = false;
    sessionsLost.increment();
  }

  /**
   * A recorder was taken over after no machine had been active for {@code gap}; null if none ever
   * was.
   */
  public void gap(String reason, @Nullable Duration gap) {
    Histogram ofReason = gaps.get(reason);
    if (ofReason != null && gap != null) {
      ofReason.add(gap.toNanos());
    }
  }

  public LogMetrics log(String name) {
    return logs.computeIfAbsent(name, any -> new LogMetrics(reasons));
  }

  public RequestMetrics requests(String name) {
    return requests.computeIfAbsent(name, any -> new RequestMetrics());
  }

  // ---- read on any thread

  /** The configured log recorders, by name. */
  public Map<String, LogMetrics> logs() {
    return configured(logs);
  }

  /** The configured request recorders, by name. */
  public Map<String, RequestMetrics> requests() {
    return configured(requests);
  }

  private <T> Map<String, T> configured(Map<String, T> all) {
    Map<String, T> some = new TreeMap<>(all);
    some.keySet().retainAll(configured);
    return some;
  }

  public boolean has(String name) {
    return configured.contains(name);
  }

  /** Whether a recorder was paused when the machine last looked. */
  public boolean isPaused(String name) {
    return paused.contains(name);
  }

  /** The time since the control loop completed a turn. */
  public Duration sinceTurn() {
    return since(turnedAt);
  }

  /**
   * Whether the control loop has completed a turn. Before the first one it sets up tables, which
   * may take long.
   */
  public boolean hasTurned() {
    return everTurned;
  }

  /** Whether it waits for a database that it could not use since its start. */
  public boolean isUnreached() {
    return unreached;
  }

  /** Whether another machine has this log or could take it; true if unknown. */
  public boolean isElsewhere(String logName) {
    return elsewhere.test(logName);
  }

  public boolean isRegistered() {
    return registered;
  }

  /** Whether the machine has its control session and a valid lease. */
  public boolean isThere() {
    return isRegistered() && !lease().isZero();
  }

  /** Whether these requests can be processed now; not without a control session. */
  public boolean processes(RequestMetrics requests) {
    return requests.isAble() && isThere();
  }

  /** How long writes may still be started; zero if they may not. */
  public Duration lease() {
    ControlSessionFigures now = heartbeats;
    return Duration.ofNanos(now == null ? 0 : Math.max(0, now.leaseNanos.getAsLong()));
  }

  /** The time since the last confirmed heartbeat was sent; null before the first. */
  public @Nullable Duration heartbeatAge() {
    ControlSessionFigures now = heartbeats;
    return now == null ? null : since(now.renewedAt.getAsLong());
  }

  public long sessionsLost() {
    return sessionsLost.sum();
  }

  /** How long no machine was active before this one took over, by reason, for all recorders. */
  public Map<String, Histogram> gaps() {
    return gaps;
  }

  /** From a moment on the ticker until now. */
  public Duration since(long nanos) {
    return Duration.ofNanos(Math.max(0, ticker.nanos() - nanos));
  }
}
