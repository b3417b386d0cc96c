package dev.recorder.machine;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Lease;
import dev.recorder.lock.election.ElectedWork;
import dev.recorder.lock.election.ElectedWorker;
import dev.recorder.time.Supervision;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The election of one recorder by a lock outside of the database. Its work is to make this machine
 * able to take the recorder: the coordinator then takes it as any other, with an advisory lock and
 * a new epoch, so that a machine that does not know yet that it lost the key is fenced all the
 * same.
 *
 * <p>A machine takes part while it could write and its control session is up; else it would keep
 * the key from one that can.
 *
 * <p>Methods are for the control loop's thread, except {@link #mayWrite()} and those of {@link
 * ElectedWork}.
 */
final class KeyElection implements ElectedWork {
  private static final String NOT_ELECTED = "another host has the key of its election, or none";

  private final KeyCandidate candidate;
  private final ElectedWorker worker;

  // For the control loop's thread.
  private boolean up;
  private boolean leaving;

  private volatile boolean retired;
  private volatile @Nullable Lease lease;
  private volatile CompletableFuture<Void> ended = new CompletableFuture<>();

  /** An election that this machine takes no part in yet. */
  KeyElection(
      String machine,
      DistributedLock key,
      Duration retry,
      KeyCandidate candidate,
      Supervision supervision) {
    this.up = candidate.isUp();
    this.candidate = candidate;
    this.worker = new ElectedWorker(machine, key, retry, this, supervision);
  }

  /** Whether the key is ours as of now. For any thread. */
  boolean mayWrite() {
    Lease current = lease;
    return current != null && !current.state().isFinal();
  }

  /** Whether the control session is up. */
  void up(boolean isUp) {
    up = isUp;
    takePart();
  }

  /** Takes part as long as this machine could write. */
  void takePart() {
    if (up && candidate.unable() == null) {
      worker.start();
    } else {
      worker.stop();
    }
    publish();
  }

  private void publish() {
    String unable = candidate.unable();
    boolean isElected = !leaving && mayWrite();
    candidate.able(unable == null && !isElected ? NOT_ELECTED : unable);
  }

  /** This machine is no longer active for the recorder. */
  void termEnded() {
    if (leaving) {
      finish();
    }
  }

  private void finish() {
    leaving = false;
    lease = null;
    ended.complete(null);
    publish();
  }

  @Override
  public CompletionStage<?> start(Lease granted) {
    CompletableFuture<Void> ends = new CompletableFuture<>();
    ended = ends;
    lease = granted;
    if (retired) {
      ends.complete(null);
    }
    candidate.tell(this::publish);
    return ends;
  }

  @Override
  public void stop() {
    candidate.tell(() -> end(candidate.leave("the key of its election is given back")));
  }

  @Override
  public void halt() {
    candidate.tell(() -> end(candidate.drop("the key of its election is lost")));
  }

  /** Not able from now on; over at once, or when the term has ended. */
  private void end(boolean held) {
    leaving = true;
    publish();
    if (!held) {
      finish();
    }
  }

  /** Gives the key back soon; nothing is under way any more. */
  void retire() {
    retired = true;
    leaving = true;
    finish();
    worker.retire();
  }

  /** Waits until it is given back: the process is about to end. */
  void awaitEnd(Duration limit) throws InterruptedException {
    worker.close(limit);
  }
}
