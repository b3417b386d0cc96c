package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.RecorderFacts;
import java.util.ArrayList;
import java.util.List;

/**
 * The recorders that a drained host still has. Pure.
 *
 * @param moving recorders that another host can take, so that they move there
 * @param kept recorders that no other host can take, so that they stay
 */
public record DrainProgress(List<String> moving, List<String> kept) {
  public DrainProgress {
    moving = List.copyOf(moving);
    kept = List.copyOf(kept);
  }

  /**
   * Determines the progress from the present judgement.
   *
   * @param had the recorders that the host was active for when it was drained; such a recorder
   *     counts as moving until another host has it
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

  /** Whether further waiting is useless. */
  public boolean isOver() {
    return moving.isEmpty();
  }

  /** Whether the host has no recorders any more. */
  public boolean isEmpty() {
    return moving.isEmpty() && kept.isEmpty();
  }
}
