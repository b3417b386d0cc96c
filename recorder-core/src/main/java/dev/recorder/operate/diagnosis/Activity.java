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
 * Who is at work on a recorder, and who could be. Pure.
 *
 * @param workers living hosts that record it, or work on its requests; also while it is paused
 * @param able those, and the living hosts that could take it
 * @param blocked why the workers make no progress, as one of them states it
 */
public record Activity(
    RecorderFacts recorder,
    ActivityState state,
    List<HostFacts> workers,
    List<HostFacts> able,
    Optional<String> blocked) {
  /** How it stands with a recorder. */
  public enum ActivityState {
    /** A host records it. */
    ACTIVE,
    /** A host records it, and is to hand it over to another. */
    MOVING,
    /** Hosts work on its requests. */
    WORKS,
    PAUSED,
    STUCK,
    NOBODY,
    /** Nobody has to be at work on it any more. */
    RETIRED;

    /** As people write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether somebody is at work on it and makes progress. */
    public boolean isAtWork() {
      return this == ACTIVE || this == MOVING || this == WORKS;
    }
  }

  public Activity {
    workers = List.copyOf(workers);
    able = List.copyOf(able);
  }

  /** Of one recorder. */
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

  /** A paused host does not call itself stuck, and is held up all the same. */
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

  /** Whether a living host records it, or works on its requests; also while it is paused. */
  public boolean isHeld() {
    return !workers.isEmpty();
  }

  /** Living hosts that could take it from those that are at work. */
  public List<HostFacts> standbys() {
    return able.stream().filter(host -> !workers.contains(host)).toList();
  }

  /** The names of those that are at work, one after the other. */
  public String names() {
    return workers.stream().map(HostFacts::name).collect(Collectors.joining(", "));
  }
}
