package dev.recorder.machine;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.machine.shared.ConditionBoard;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.Preparation;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.machine.term.SwitchoverCheck;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.postgres.RdsManager;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The registry's knowledge of one recorder. For the control loop's thread, unless stated otherwise.
 */
final class RecorderEntry {
  final RecorderWorker worker;
  @Nullable KeyElection election;
  @Nullable Preparation preparation;
  boolean paired;
  private final Draining draining;
  private final Ticker ticker = Ticker.system();

  // The recorder's readiness; changed only by become.
  private volatile Readiness readiness = Readiness.unchecked(ticker.nanos());

  RecorderEntry(RecorderWorker worker, Draining draining) {
    this.worker = worker;
    this.draining = draining;
  }

  /** Changes the readiness; returns whether anything changed. For any thread. */
  synchronized boolean become(ReadinessState next, String why) {
    Readiness before = readiness;
    readiness = before.next(next, why, ticker.nanos());
    return !readiness.equals(before);
  }

  /** For any thread. */
  Readiness readiness() {
    return readiness;
  }

  /**
   * Returns the readiness with this host's draining applied, which does not affect recorders
   * elected by a key.
   */
  Readiness readinessHere() {
    return election == null ? draining.over(readiness, ticker.nanos()) : readiness;
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

  /** States the recorder's conditions on the board. */
  void state(ConditionBoard board) {
    String recorder = worker.settings().name().value();
    boolean hasIt = readiness.isReady() && !worker.standsBy();
    board.state(recorder, hasIt ? null : readinessHere());
    Duration lasts = worker.sinceOwnProgress();
    board.state(recorder, About.HELD_UP, worker.blockedReason(), lasts);
    board.state(recorder, About.DRAINED, election == null ? draining.keeps(worker) : null);
    board.state(recorder, About.CLEARING, worker.clearingWaitsFor());
    board.state(recorder, About.TABLE, worker.tableTrouble());
  }

  /**
   * Returns a check of a term's needs; a refused recorder was never prepared, so its log is
   * unknown.
   */
  SwitchoverCheck switchoverCheck(RdsManager manager, SharedResources resources) {
    return new SwitchoverCheck(
        worker,
        preparation == null ? null : preparation.log(),
        readinessHere().why(),
        manager,
        resources);
  }
}
