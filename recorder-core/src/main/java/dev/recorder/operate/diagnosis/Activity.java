package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The hosts that work on a recorder, and those that could. Pure.
 *
 * @param workers living hosts that record it, or process its requests; also while it is paused
 * @param able the workers, and the living hosts that could take it
 * @param blocked why the workers make no progress, as stated by one of them
 */
public record Activity(
    RecorderFacts recorder,
    ActivityState state,
    List<HostFacts> workers,
    List<HostFacts> able,
    Optional<String> blocked) {
  /** The state of a recorder on all hosts together. */
  public enum ActivityState {
    /** A host records it. */
    ACTIVE,
    /** A host records it, and should hand it over to another host. */
    MOVING,
    /** Hosts process its requests. */
    WORKS,
    PAUSED,
    STUCK,
    NOBODY,
    /** No host needs to work on it any more. */
    RETIRED;

    /** The word for people. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a host works on it and makes progress. */
    public boolean isAtWork() {
      return this == ACTIVE || this == MOVING || this == WORKS;
    }
  }

  public Activity {
    workers = List.copyOf(workers);
    able = List.copyOf(able);
  }

  /** Judges one recorder. */
  public static Activity of(Facts facts, RecorderFacts recorder) {
    List<HostRole> living = HostRole.living(facts, recorder);
    List<HostRole> workers = living.stream().filter(HostRole::isAtWork).toList();
    return new Activity(
        recorder,
        state(facts, recorder, workers),
        hosts(workers.stream()),
        hosts(living.stream().filter(r -> r.isAtWork() || r.actual() == Actual.STANDBY)),
        blocked(workers));
  }

  private static List<HostFacts> hosts(Stream<HostRole> roles) {
    return roles.map(HostRole::host).toList();
  }

  private static ActivityState state(Facts facts, RecorderFacts recorder, List<HostRole> workers) {
    if (facts.isRetired(recorder)) {
      return ActivityState.RETIRED;
    } else if (workers.isEmpty()) {
      return ActivityState.NOBODY;
    } else if (recorder.paused() != null) {
      return ActivityState.PAUSED;
    } else if (!recorder.isLog()) {
      return ActivityState.WORKS;
    } else if (isStuck(workers)) {
      return ActivityState.STUCK;
    }
    return recorder.switchTo() == null ? ActivityState.ACTIVE : ActivityState.MOVING;
  }

  /**
   * Returns why the workers make no progress. A paused host does not count as stuck, but may also
   * state a reason.
   */
  private static Optional<String> blocked(List<HostRole> workers) {
    Optional<String> stated =
        workers.stream().flatMap(worker -> Optional.ofNullable(worker.why()).stream()).findFirst();
    return stated.isEmpty() && isStuck(workers)
        ? Optional.of("it is stuck; see 'recorder status'")
        : stated;
  }

  private static boolean isStuck(List<HostRole> workers) {
    return workers.stream().anyMatch(worker -> worker.actual() == Actual.STUCK);
  }

  /** Whether a living host records it, or processes its requests; also while it is paused. */
  public boolean isHeld() {
    return !workers.isEmpty();
  }

  /** Returns the living hosts that could take it from the workers. */
  public List<HostFacts> standbys() {
    return able.stream().filter(host -> !workers.contains(host)).toList();
  }

  /** Returns the names of the workers, joined by commas. */
  public String names() {
    return workers.stream().map(HostFacts::name).collect(Collectors.joining(", "));
  }
}
