package dev.recorder.machine;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.machine.shared.ConditionBoard;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.Preparation;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.machine.term.SwitchoverCheck;
import dev.recorder.postgres.RdsManager;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the registry knows of one recorder. For the control loop's thread. */
final class RecorderEntry {
  final RecorderWorker worker;
  @Nullable KeyElection election;
  @Nullable Preparation preparation;
  boolean paired;
  boolean refused;
  @Nullable String refusal;

  /** Told on any thread. */
  volatile @Nullable String unable;

  /** Whether it was ever checked. */
  volatile boolean looked;

  RecorderEntry(RecorderWorker worker) {
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

  /** Says how things stand with it. */
  void state(ConditionBoard board, Draining draining) {
    String recorder = worker.settings().name().value();
    String unableNow = unableNow(draining);
    board.state(recorder, About.REFUSED, refusal);
    board.state(recorder, About.UNABLE, refusal == null ? unableNow : null);
    Duration lasts = worker.sinceOwnProgress();
    board.state(recorder, About.HELD_UP, worker.blockedReason(), lasts);
    board.state(recorder, About.DRAINED, election == null ? draining.keeps(worker) : null);
    board.state(recorder, About.CLEARING, worker.clearingWaitsFor());
    board.ready(recorder, isReady() && unableNow == null);
  }

  /** Why it cannot be taken here; who has a key is active on a drained machine too. */
  private @Nullable String unableNow(Draining draining) {
    String found = looked ? unable : Condition.CHECKING;
    return election == null ? draining.over(found, worker) : found;
  }

  /** What to check again; one that is refused was never looked at. */
  SwitchoverCheck switchoverCheck(
      Draining draining, RdsManager manager, SharedResources resources) {
    return new SwitchoverCheck(
        worker,
        preparation == null ? null : preparation.log(),
        refusal == null ? unableNow(draining) : refusal,
        manager,
        resources);
  }
}
