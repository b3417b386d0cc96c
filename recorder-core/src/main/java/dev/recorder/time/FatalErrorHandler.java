package dev.recorder.time;

/**
 * Notified of a failure that ended a thread's work. Code that waits for that work would wait
 * forever, so the owner of the thread must end.
 *
 * <p>Called on the failing thread, which may be short of memory or of classes, possibly more than
 * once.
 */
@FunctionalInterface
public interface FatalErrorHandler {
  /** For owners that have nothing to end. */
  FatalErrorHandler IGNORED = cause -> {};

  /** Passes the failure to the process's default handler, or to standard error. */
  FatalErrorHandler OF_PROCESS =
      cause -> {
        Thread failed = Thread.currentThread();
        failed.getThreadGroup().uncaughtException(failed, cause);
      };

  void failed(Throwable cause);
}
