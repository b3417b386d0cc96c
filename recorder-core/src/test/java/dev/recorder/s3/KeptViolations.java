package dev.recorder.s3;

import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreViolations;
import java.util.ArrayList;
import java.util.List;

/** Keeps lost races in memory, for as many machines as a test has. */
final class KeptViolations implements StoreViolations {
  final List<Violation> races = new ArrayList<>();

  /** Why nobody can look; empty if everybody can. */
  String blind = "";

  /** Why nothing can be noted; empty if it can. */
  String mute = "";

  int asked;

  record Violation(StoreGuarantee promise, String what) {}

  @Override
  public ViolationFinding find(StoreGuarantee wanted) {
    asked++;
    if (!blind.isEmpty()) {
      return new Unknown(blind);
    }
    return races.stream()
        .filter(race -> race.promise() == StoreGuarantee.CREATION || race.promise() == wanted)
        .<ViolationFinding>map(race -> new Lost("kept: " + race.what()))
        .findFirst()
        .orElse(new None());
  }

  @Override
  public String note(StoreGuarantee lost, String what) {
    if (mute.isEmpty()) {
      races.add(new Violation(lost, what));
    }
    return mute;
  }
}
