package dev.recorder.machine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.FatalErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * Ends a machine when one of its threads fails in a way that nothing handles: what that thread did
 * for others would stay undone, while the locks are held and the heart beats on. The first failure
 * counts. Thread-safe.
 */
final class FatalShutdown implements FatalErrorHandler {
  private final FatalErrorHandler owner;

  // Guarded by this; may be read without.
  private volatile @Nullable Throwable cause;

  @GuardedBy("this")
  private @Nullable Thread runner;

  @GuardedBy("this")
  private Runnable sever = () -> {};

  @GuardedBy("this")
  private boolean closing;

  /** {@code owner} is told first: it may know a quicker end. */
  FatalShutdown(FatalErrorHandler owner) {
    this.owner = owner;
  }

  /** The machine runs on this thread, and {@code sessions} cuts all that peers wait for. */
  synchronized void watch(Runnable sessions) {
    runner = Thread.currentThread();
    sever = sessions;
  }

  /** Whether nothing may be started any more. */
  boolean isOver() {
    return cause != null;
  }

  @Override
  public void failed(Throwable failure) {
    Runnable cut;
    synchronized (this) {
      boolean late = closing && Thread.currentThread() != runner;
      if (cause != null || late) {
        return;
      }
      cause = failure;
      cut = sever;
    }
    try {
      owner.failed(failure);
    } finally {
      try {
        cut.run();
      } finally {
        wake();
      }
    }
  }

  private synchronized void wake() {
    if (runner != null) {
      runner.interrupt();
    }
  }

  /** All is being closed: what other threads make of that does not matter. */
  synchronized void closing() {
    closing = true;
  }

  /** The machine runs no longer; what ended it, if it was that. No interrupt comes later. */
  synchronized @Nullable Throwable end() {
    runner = null;
    if (cause != null) {
      var unused = Thread.interrupted(); // It was meant for the machine, which is over.
    }
    return cause;
  }
}
