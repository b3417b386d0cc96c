package dev.recorder.app.cli.command;

import dev.recorder.time.NamedThreadFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order after a signal. SIGINT, SIGTERM and SIGHUP start the JVM's shutdown,
 * which waits until the command has ended. The wait is limited, since a command may be stuck, for
 * example on a pipe that is not read.
 */
public final class ShutdownHook implements AutoCloseable {
  /** Time to withdraw an order; after that, the order has expired in the database. */
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
   * Installs a hook for a command that polls {@link #isAsked()} and then undoes its work. The
   * process ends with the exit code of the signal. Takes effect until closed.
   */
  public static ShutdownHook expected() {
    return new ShutdownHook(() -> {}, false, TAKING_BACK_SECONDS);
  }

  /**
   * Installs a hook for a command that runs until a signal. The process ends with 0 once the
   * command has ended. Takes effect until closed.
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

  /** Says that the command has ended, and removes the hook. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underWay) {
      // The shutdown has begun. Its hook was waiting for this call.
    }
  }
}
