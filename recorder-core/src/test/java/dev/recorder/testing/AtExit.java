package dev.recorder.testing;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes what is still open when the JVM ends, by itself or by a signal, the youngest first.
 *
 * <p>One hook for all, because the order matters: a server goes before the programs it runs from.
 */
public final class AtExit {
  private static final ConcurrentLinkedDeque<AutoCloseable> OPEN = new ConcurrentLinkedDeque<>();
  private static final AtomicBoolean ENDING = new AtomicBoolean();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtExit::closeAll, "test-servers-at-exit"));
  }

  private AtExit() {}

  /** Call before anything is started that could be left behind. */
  public static void register(AutoCloseable resource) {
    OPEN.push(resource);
    if (ENDING.get()) {
      throw new IllegalStateException("the JVM is ending");
    }
  }

  /** For a resource that has been closed. */
  public static void forget(AutoCloseable resource) {
    OPEN.remove(resource);
  }

  /** Whether the JVM is on its way out: what fails now fails because things are being closed. */
  public static boolean isEnding() {
    return ENDING.get();
  }

  private static void closeAll() {
    ENDING.set(true);
    AutoCloseable next;
    while ((next = OPEN.poll()) != null) {
      try {
        next.close();
      } catch (Exception failed) {
        // Nobody is left to catch it, and logging may already have been shut down.
        System.err.println("could not close " + next + " at exit: " + failed);
      }
    }
  }
}
