package dev.recorder.time;

/**
 * Notified of a failure that ended a thread's work. Code that waits for that work would wait
 * forever, so the owner of the thread must end.
 *
 * <p>Called on the failing thread, possibly more than once. That thread may lack memory, or be
 * unable to load classes.
 */
@FunctionalInterface
public interface FatalErrorHandler {
  /** Ignores failures, for owners that have nothing to end. */
  FatalErrorHandler IGNORED = cause -> {};

  /** Passes the failure to the process's default handler, or to standard error. */
  FatalErrorHandler OF_PROCESS =
      cause -> {
        Thread failed = Thread.currentThread();
        failed.getThreadGroup().uncaughtException(failed, cause);
      };

  void failed(Throwable cause);
}
