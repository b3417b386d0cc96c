package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.RecorderFacts;
import java.util.ArrayList;
import java.util.List;

/**
 * What a machine that is drained still has. Pure.
 *
 * @param moving what another machine is able to take, so that it goes there
 * @param kept what no other is able to take, so that it stays
 */
public record DrainProgress(List<String> moving, List<String> kept) {
  public DrainProgress {
    moving = List.copyOf(moving);
    kept = List.copyOf(kept);
  }

  /**
   * As things stand.
   *
   * @param had what it was active for when it was drained: it is not gone before another has it
   */
  public static DrainProgress of(Diagnosis site, String machine, List<String> had) {
    List<String> moving = new ArrayList<>();
    List<String> kept = new ArrayList<>();
    for (RecorderFacts recorder : site.facts().recorders()) {
      String holder = recorder.status().holder();
      boolean betweenTwo = holder == null && had.contains(recorder.name());
      if (betweenTwo || machine.equals(holder)) {
        boolean wanted =
            betweenTwo || site.takers(recorder).stream().anyMatch(other -> !other.equals(machine));
        (wanted ? moving : kept).add(recorder.name());
      }
    }
    return new DrainProgress(moving, kept);
  }

  /** Whether nothing more will come of waiting. */
  public boolean isOver() {
    return moving.isEmpty();
  }

  /** Whether the machine has nothing any more. */
  public boolean isEmpty() {
    return moving.isEmpty() && kept.isEmpty();
  }
}
