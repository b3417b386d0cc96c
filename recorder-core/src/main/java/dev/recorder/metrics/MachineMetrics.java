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
 * The metrics of one host and its recorders since the host's start. Thread-safe.
 *
 * <p>A recorder that is removed from the configuration is not shown, but keeps its metrics until
 * the host ends, in case it returns. So there are at most as many recorders as the configuration
 * ever had names.
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
   * The lease and the heartbeats of the control session.
   *
   * @param leaseNanos nanoseconds for which writes may still be started; none if 0 or less
   * @param renewedAt when the last confirmed heartbeat was sent
   */
  private record ControlSessionFigures(LongSupplier leaseNanos, LongSupplier renewedAt) {}

  /**
   * Makes the metrics of a host that starts now.
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

  // ---- set by the host

  public void configured(Collection<String> logNames, Collection<String> requestNames) {
    logNames.forEach(this::log);
    requestNames.forEach(this::requests);
    Set<String> all = new HashSet<>(logNames);
    all.addAll(requestNames);
    configured = Set.copyOf(all);
  }

  /** Sets the paused recorders, on all hosts. */
  public void paused(Set<String> names) {
    paused = Set.copyOf(names);
  }

  /** Notes that the control loop waits for a database that cannot be reached yet. */
  public void waits() {
    turnedAt = ticker.nanos();
  }

  /** Notes that the database could not be used since the start, and is tried again. */
  public void unreached() {
    unreached = true;
  }

  public void turned() {
    turnedAt = ticker.nanos();
    unreached = false;
    everTurned = true;
  }

  /** Sets the sources of lease and heartbeats, in nanoseconds. Times are the ticker's. */
  public void heartbeats(LongSupplier leaseNanos, LongSupplier renewedAt) {
    heartbeats = new ControlSessionFigures(leaseNanos, renewedAt);
  }

  /** Sets the source that says whether another host has a log, by name, or could take it. */
  public void elsewhere(Predicate<String> hasOrCouldTake) {
    elsewhere = hasOrCouldTake;
  }

  /** Sets whether the host is registered under a control session. */
  public void registered(boolean is) {
    registered = is;
  }

  public void sessionLost() {
    registered = false;
    sessionsLost.increment();
  }

  /** Counts a takeover before which no host was active for {@code gap}; null if none ever was. */
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

  /** Returns the configured log recorders, by name. */
  public Map<String, LogMetrics> logs() {
    return configured(logs);
  }

  /** Returns the configured request recorders, by name. */
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

  /** Returns whether a recorder was paused when the host last looked. */
  public boolean isPaused(String name) {
    return paused.contains(name);
  }

  /** Returns the time since the control loop last completed a turn. */
  public Duration sinceTurn() {
    return since(turnedAt);
  }

  /**
   * Returns whether the control loop has completed a turn. Before the first turn, the host sets up
   * tables, which may take long.
   */
  public boolean hasTurned() {
    return everTurned;
  }

  /** Returns whether the host waits for a database that it could not use since its start. */
  public boolean isUnreached() {
    return unreached;
  }

  /** Returns whether another host has this log or could take it; true if unknown. */
  public boolean isElsewhere(String logName) {
    return elsewhere.test(logName);
  }

  public boolean isRegistered() {
    return registered;
  }

  /** Returns whether the host has its control session and a valid lease. */
  public boolean isThere() {
    return isRegistered() && !lease().isZero();
  }

  /** Returns whether these requests can be processed now, which needs a control session. */
  public boolean processes(RequestMetrics requests) {
    return requests.isAble() && isThere();
  }

  /** Returns how long writes may still be started; zero if they may not. */
  public Duration lease() {
    ControlSessionFigures now = heartbeats;
    return Duration.ofNanos(now == null ? 0 : Math.max(0, now.leaseNanos.getAsLong()));
  }

  /** Returns the time since the last confirmed heartbeat was sent; null before the first. */
  public @Nullable Duration heartbeatAge() {
    ControlSessionFigures now = heartbeats;
    return now == null ? null : since(now.renewedAt.getAsLong());
  }

  public long sessionsLost() {
    return sessionsLost.sum();
  }

  /**
   * Returns how long no host was active before this one took over, by reason, for all recorders.
   */
  public Map<String, Histogram> gaps() {
    return gaps;
  }

  /** Returns the time from a moment of the ticker until now. */
  public Duration since(long nanos) {
    return Duration.ofNanos(Math.max(0, ticker.nanos() - nanos));
  }
}
