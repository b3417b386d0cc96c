package dev.recorder.app.cli;

import dev.recorder.time.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * For a command that has something to take back when it is ended from outside: SIGINT, SIGTERM and
 * SIGHUP then wait for it, for {@value #PATIENCE_SECONDS} s at most, and end the process with the
 * exit code of the signal.
 */
final class Interruption implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 15;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new NamedThreads("interruption").newThread(this::interrupt);
  private volatile boolean asked;

  private Interruption() {}

  /** From now on, until it is closed. */
  static Interruption expected() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Whether the process is to end. */
  boolean isAsked() {
    return asked;
  }

  private void interrupt() {
    asked = true;
    try {
      // If it takes longer: the database knows when the time of an order is over.
      boolean unused = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is taken back, and told. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underWay) {
      // Then it has waited for this.
    }
  }
}
