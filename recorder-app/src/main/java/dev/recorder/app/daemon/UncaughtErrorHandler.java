package dev.recorder.app.daemon;

import dev.recorder.app.logs.AppEvent;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process after an unhandled error in any thread, such as a missing class or a failure to
 * create a thread. A process with such an error could keep its locks without working, and might not
 * shut down in order. The handler therefore logs the cause and halts the process. The sessions of
 * the process end, and peers take over at once.
 *
 * <p>A thread that exists from the start halts the process if even logging takes longer than {@link
 * #PATIENCE}.
 */
final class UncaughtErrorHandler implements FatalErrorHandler, AutoCloseable {
  /** EX_SOFTWARE of sysexits.h: internal software error. */
  static final int EXIT_CODE = 70;

  static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(UncaughtErrorHandler.class);

  private final Consumer<Throwable> say;
  private final IntConsumer halt;
  private final Duration patience;
  private final Thread.@Nullable UncaughtExceptionHandler former =
      Thread.getDefaultUncaughtExceptionHandler();
  private final AtomicBoolean told = new AtomicBoolean();
  private final CountDownLatch failed = new CountDownLatch(1);

  UncaughtErrorHandler(Consumer<Throwable> say, IntConsumer halt, Duration patience) {
    this.say = say;
    this.halt = halt;
    this.patience = patience;
    new NamedThreadFactory("last-resort").newThread(this::haltInTime).start();
  }

  /** Installs the handler in this process, also for threads without their own handler. */
  static UncaughtErrorHandler ofThisProcess() {
    UncaughtErrorHandler lastResort =
        new UncaughtErrorHandler(
            UncaughtErrorHandler::sayWhy, code -> Runtime.getRuntime().halt(code), PATIENCE);
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> lastResort.failed(cause));
    return lastResort;
  }

  /** Restores the former handler, which then receives later failures. */
  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(former);
  }

  @Override
  public void failed(Throwable cause) {
    failed.countDown();
    if (told.compareAndSet(false, true)) {
      try {
        say.accept(cause);
      } finally {
        halt.accept(EXIT_CODE);
      }
    }
  }

  private void haltInTime() {
    try {
      failed.await();
      Pause.sleep(patience);
    } catch (InterruptedException hurried) {
      // Interrupted against expectation: halt at once.
    }
    halt.accept(EXIT_CODE);
  }

  private static void sayWhy(Throwable cause) {
    try {
      log.error(
          AppEvent.FATAL_ERROR,
          "an unhandled error has ended a thread, and the process ends",
          cause);
    } finally {
      // Prints even if the classes of the log are missing.
      System.err.println("recorder: run has ended with exit code " + EXIT_CODE + ": " + cause);
      System.err.flush();
    }
  }
}
