package dev.recorder.operate.site;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The facts about a host in the database.
 *
 * @param status as stated with the last heartbeat
 * @param hasSession whether the control session that it registered exists
 * @param stuck lockids for which it is active and makes no progress
 * @param sections hashes of the sections that files of hosts should share
 * @param conditions problems that it states on that session
 */
public record HostFacts(
    MachineStatus status,
    boolean hasSession,
    Set<Integer> stuck,
    Map<String, String> sections,
    List<Condition> conditions) {
  public HostFacts {
    stuck = Set.copyOf(stuck);
    sections = Map.copyOf(sections);
    conditions = List.copyOf(conditions);
  }

  public String name() {
    return status.name();
  }

  /** Whether its session exists and its heartbeat is fresh, so that its statements are current. */
  public boolean isAlive() {
    return status.alive();
  }

  /** Whether the host is alive, and its file has this recorder. */
  public boolean has(RecorderFacts recorder) {
    return isAlive()
        && (sections.containsKey("recorder:" + recorder.name())
            || isAble(recorder)
            || isPrimary(recorder));
  }

  public boolean isPrimary(RecorderFacts recorder) {
    return status.primaryFor().contains(recorder.lockId());
  }

  /**
   * Whether the host is alive and the recorder's row names it, in a term of its present session.
   */
  public boolean isActive(RecorderFacts recorder) {
    return isAlive()
        && name().equals(recorder.status().holder())
        && status.active().contains(recorder.lockId());
  }

  /** Whether the host is alive, and states that it has the recorder or could take it. */
  public boolean isAble(RecorderFacts recorder) {
    return isAlive() && status.able().contains(recorder.lockId());
  }

  /** Whether the host is alive, active for the recorder, and makes no progress. */
  public boolean isStuck(RecorderFacts recorder) {
    return isActive(recorder) && stuck.contains(recorder.lockId());
  }

  /** Returns the current condition about one matter of a recorder; ignores outdated ones. */
  public Optional<Condition> condition(String recorder, About about) {
    return conditions.stream()
        .filter(c -> isAlive() && c.recorder().equals(recorder) && c.about() == about)
        .findFirst();
  }
}
