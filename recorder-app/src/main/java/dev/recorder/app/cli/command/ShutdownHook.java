package dev.recorder.app.cli.command;

import dev.recorder.time.NamedThreadFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command in an orderly way: SIGINT, SIGTERM and SIGHUP start the JVM's shutdown, which
 * waits for the command. The wait is bounded, since a command may be stuck, for example on a pipe
 * that is not read.
 */
public final class ShutdownHook implements AutoCloseable {
  /** By then, the order has expired in the database. */
  private static final long TAKING_BACK_SECONDS = 15;

  private static final long ENDING_SECONDS = 5;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new NamedThreadFactory("interruption").newThread(this::interrupt);
  private final Runnable stop;
  private final boolean isNoFailure;
  private final long patience;
  private volatile boolean asked;

  private ShutdownHook(Runnable stop, boolean isNoFailure, long patience) {
    this.stop = stop;
    this.isNoFailure = isNoFailure;
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * For a command that has something to undo and polls {@link #isAsked()}; the process ends with
   * the exit code of the signal. Takes effect until closed.
   */
  public static ShutdownHook expected() {
    return new ShutdownHook(() -> {}, false, TAKING_BACK_SECONDS);
  }

  /**
   * For a command that runs until it is told to end: the process then ends with 0, once the command
   * has. Takes effect until closed.
   */
  public static ShutdownHook endingWell(Runnable stop) {
    return new ShutdownHook(stop, true, ENDING_SECONDS);
  }

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

  /** The command has finished its work. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underWay) {
      // The shutdown is under way; its hook waited for this.
    }
  }
}
