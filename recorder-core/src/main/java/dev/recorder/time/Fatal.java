package dev.recorder.time;

/**
 * Notified of a failure that ended work on a thread and that nobody there could deal with. Whoever
 * waits for that work would wait forever, so the thread's owner must end.
 *
 * <p>Called on the failing thread, which may be short of memory or of classes, and perhaps more
 * than once.
 */
@FunctionalInterface
public interface Fatal {
  /** For those who have nothing that could end. */
  Fatal IGNORED = cause -> {};

  /** For those who leave it to the process: to its default handler, or its standard error. */
  Fatal OF_PROCESS =
      cause -> {
        Thread failed = Thread.currentThread();
        failed.getThreadGroup().uncaughtException(failed, cause);
      };

  void failed(Throwable cause);
}
