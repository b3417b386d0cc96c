package dev.recorder.machine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.time.FatalErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * Ends the host when a failure on one of its threads is not handled. Otherwise the thread's work
 * would stay undone while the host keeps its locks and heartbeats. Only the first failure counts.
 * Thread-safe.
 */
final class FatalShutdown implements FatalErrorHandler {
  private final FatalErrorHandler owner;

  // Written under the monitor of this object; may be read without.
  private volatile @Nullable Throwable cause;

  @GuardedBy("this")
  private @Nullable Thread runner;

  @GuardedBy("this")
  private Runnable sever = () -> {};

  @GuardedBy("this")
  private boolean closing;

  /** Creates a shutdown; {@code owner} is told first, since it may end the host faster. */
  FatalShutdown(FatalErrorHandler owner) {
    this.owner = owner;
  }

  /**
   * Notes the calling thread as the host's main thread; {@code sessions} ends the sessions whose
   * end peers wait for.
   */
  synchronized void watch(Runnable sessions) {
    runner = Thread.currentThread();
    sever = sessions;
  }

  /** Whether a failure has ended the host, so that no work may be started. */
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

  /** Notes that the host is closing: later failures on other threads are ignored. */
  synchronized void closing() {
    closing = true;
  }

  /**
   * Notes that the host has ended, and returns the failure that ended it, if there was one. No
   * interrupt follows.
   */
  synchronized @Nullable Throwable end() {
    runner = null;
    if (cause != null) {
      var unused = Thread.interrupted(); // It was meant to end the host, which is over.
    }
    return cause;
  }
}
