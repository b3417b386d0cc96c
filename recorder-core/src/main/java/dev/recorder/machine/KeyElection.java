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
 * The election of one recorder by a lock outside the database, such as a Redis key. While this host
 * holds the key, it is able to take the recorder. The coordinator then takes the recorder like any
 * other, with an advisory lock and a new epoch. So a host that has not noticed the loss of its key
 * is fenced all the same.
 *
 * <p>A host takes part only while it could write and its control session is up. Otherwise it would
 * keep the key from a host that can.
 *
 * <p>Methods are called on the control loop's thread, except {@link #mayWrite()} and those of
 * {@link ElectedWork}.
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

  /** Creates an election in which this host does not take part yet. */
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

  /** Whether this host holds the key now. For any thread. */
  boolean mayWrite() {
    Lease current = lease;
    return current != null && !current.state().isFinal();
  }

  /** Notes whether the control session is up. */
  void up(boolean isUp) {
    up = isUp;
    takePart();
  }

  /** Takes part if this host could write, and else stops taking part. */
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

  /** Notes that this host is no longer active for the recorder. */
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

  /**
   * Ends this host's ability to take the recorder. The work ends at once, or with the term if the
   * recorder is {@code held}.
   */
  private void end(boolean held) {
    leaving = true;
    publish();
    if (!held) {
      finish();
    }
  }

  /** Gives the key back soon; no work is in progress. */
  void retire() {
    retired = true;
    leaving = true;
    finish();
    worker.retire();
  }

  /** Waits until the key is given back, since the process is about to end. */
  void awaitEnd(Duration limit) throws InterruptedException {
    worker.close(limit);
  }
}
