package dev.recorder.operate.site;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the database knows of a machine.
 *
 * @param status what it stated with its last heartbeat
 * @param hasSession whether the control session that it registered exists
 * @param stuck lockids that it is active for and makes no progress with
 * @param sections hashes of what its file should share with the others', by section
 * @param conditions what it states on that session is not as it should be
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

  /** Whether its session exists and its heartbeat is fresh: what it states is so now. */
  public boolean isAlive() {
    return status.alive();
  }

  /** Whether it is alive, and its file has this recorder. */
  public boolean has(RecorderFacts recorder) {
    return isAlive()
        && (sections.containsKey("recorder:" + recorder.name())
            || isAble(recorder)
            || isPrimary(recorder));
  }

  public boolean isPrimary(RecorderFacts recorder) {
    return status.primaryFor().contains(recorder.lockId());
  }

  /** Whether it is alive and the recorder's row names it, in a term of its present session. */
  public boolean isActive(RecorderFacts recorder) {
    return isAlive()
        && name().equals(recorder.status().holder())
        && status.active().contains(recorder.lockId());
  }

  /** Whether it is alive and states that it could take it, or has it. */
  public boolean isAble(RecorderFacts recorder) {
    return isAlive() && status.able().contains(recorder.lockId());
  }

  /** Whether it is alive, active for it, and makes no progress. */
  public boolean isStuck(RecorderFacts recorder) {
    return isActive(recorder) && stuck.contains(recorder.lockId());
  }

  /** What it states now about one matter of a recorder; nothing outdated. */
  public Optional<Condition> condition(String recorder, About about) {
    return conditions.stream()
        .filter(c -> isAlive() && c.recorder().equals(recorder) && c.about() == about)
        .findFirst();
  }
}
