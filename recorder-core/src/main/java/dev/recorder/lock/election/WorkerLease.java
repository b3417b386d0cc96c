package dev.recorder.lock.election;

import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Loss;
import org.jspecify.annotations.Nullable;

/** The lease of a worker, if it has one, and changes of its state. For one thread. */
final class WorkerLease {
  private @Nullable Lease lease;
  private LeaseState seen = LeaseState.RELEASED;
  private volatile boolean ranOut;

  @Nullable Lease lease() {
    return lease;
  }

  void granted(Lease one) {
    lease = one;
    seen = LeaseState.HELD;
  }

  /** Returns the change since the last call; null if there is no relevant one. */
  @Nullable WorkerEvent change() {
    if (lease == null) {
      return null;
    }
    LeaseState now = lease.state();
    if (now == seen) {
      return null;
    }
    seen = now;
    return switch (now) {
      case IN_DOUBT -> WorkerEvent.DOUBTED;
      case HELD -> WorkerEvent.RENEWED;
      case LOST -> {
        lease.lost().thenAccept(loss -> ranOut = loss.cause() == Loss.Cause.LEASE_EXPIRED);
        yield WorkerEvent.LOST;
      }
      case RELEASED -> null;
    };
  }

  /** Whether the last lost lease ran out, so that the lock may be free. Resets the answer. */
  boolean hasRunOut() {
    boolean has = ranOut;
    ranOut = false;
    return has;
  }

  /**
   * Releases the lease, if there is one.
   *
   * @param done whether the work was done
   */
  void release(boolean done) {
    Lease current = lease;
    lease = null;
    if (current == null) {
      return;
    }
    if (done) {
      current.complete();
    }
    current.close();
  }
}
