package dev.recorder.machine;

import dev.recorder.postgres.RdsManager;
import org.jspecify.annotations.Nullable;

/** A crew's notes about one recorder. For the control loop's thread. */
final class CrewMember {
  final RecorderWorker worker;
  @Nullable KeyElection election;
  @Nullable Preparation preparation;
  boolean paired;
  boolean refused;
  @Nullable String refusal;

  /** Told on any thread. */
  volatile @Nullable String unable;

  /** Whether it was ever found out if it is able. */
  volatile boolean looked;

  CrewMember(RecorderWorker worker) {
    this.worker = worker;
  }

  /** Whether it stands by, unless something keeps it from being able. */
  boolean isReady() {
    return looked && refusal == null && worker.standsBy();
  }

  void drop() {
    if (preparation != null) {
      preparation.drop();
    }
  }

  void retire() {
    if (election != null) {
      election.retire();
    }
  }

  /** What is to be found out anew; one that is refused was never looked at. */
  Rehearsal rehearsal(@Nullable String unableNow, RdsManager manager, Workshop workshop) {
    return new Rehearsal(
        worker,
        preparation == null ? null : preparation.log(),
        refusal == null ? unableNow : refusal,
        manager,
        workshop);
  }
}
