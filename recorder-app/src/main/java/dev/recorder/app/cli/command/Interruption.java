package dev.recorder.app.cli.command;

import dev.recorder.time.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * For a command that does something more when it is ended from outside: SIGINT, SIGTERM and SIGHUP
 * start the JVM's shutdown, which then waits for the command. The wait is bounded: a command that
 * is stuck, as with a reader of its output that does not read, ends too.
 */
public final class Interruption implements AutoCloseable {
  /** After that the database knows that the time of an order is over. */
  private static final long TAKING_BACK_SECONDS = 15;

  private static final long ENDING_SECONDS = 5;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new NamedThreads("interruption").newThread(this::interrupt);
  private final Runnable stop;
  private final boolean isNoFailure;
  private final long patience;
  private volatile boolean asked;

  private Interruption(Runnable stop, boolean isNoFailure, long patience) {
    this.stop = stop;
    this.isNoFailure = isNoFailure;
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * From now on, until it is closed. For a command that has something to take back, and asks from
   * time to time; the process ends with the exit code of the signal.
   */
  public static Interruption expected() {
    return new Interruption(() -> {}, false, TAKING_BACK_SECONDS);
  }

  /**
   * From now on, until it is closed. For a command that goes on until it is told to end: to be told
   * is no failure. The process ends with 0 once the command has.
   */
  public static Interruption endingWell(Runnable stop) {
    return new Interruption(stop, true, ENDING_SECONDS);
  }

  /** Whether the process must end. */
  public boolean isAsked() {
    return asked;
  }

  private void interrupt() {
    asked = true;
    stop.run();
    try {
      if (ended.await(patience, TimeUnit.SECONDS) && isNoFailure) {
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
