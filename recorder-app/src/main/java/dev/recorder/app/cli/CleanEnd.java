package dev.recorder.app.cli;

import dev.recorder.time.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * For a command that goes on until it is told to end: to be told is no failure. SIGTERM, SIGINT and
 * SIGHUP start the JVM's shutdown; a hook then has the command end, and ends the process with 0
 * once it has. A command that is stuck, as with a reader of its output that does not read, is ended
 * after {@value #PATIENCE_SECONDS} s, with the exit code of the signal.
 */
final class CleanEnd implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 5;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private CleanEnd(Runnable stop) {
    this.hook = new NamedThreads("clean-end").newThread(() -> end(stop));
  }

  /** From now on, until it is closed. */
  static CleanEnd by(Runnable stop) {
    CleanEnd end = new CleanEnd(stop);
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void end(Runnable stop) {
    stop.run();
    try {
      if (ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(ExitCode.OK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The command has done what it does at its end. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underWay) {
      // Then the hook has waited for this.
    }
  }
}
