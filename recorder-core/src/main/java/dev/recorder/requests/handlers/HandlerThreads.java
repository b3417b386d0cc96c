package dev.recorder.requests.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.LogEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group of the threads on which a user's handler is created and runs, and of the threads that
 * the handler starts, since threads inherit the group of their parent. An uncaught exception on a
 * thread that the handler started is the handler's fault. Unlike one on the recorder's own threads,
 * it must not end the host; otherwise one request could end all hosts in turn.
 */
public final class HandlerThreads extends ThreadGroup {
  private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

  private final RecorderName recorder;

  public HandlerThreads(RecorderName recorder) {
    super("handler-" + recorder);
    this.recorder = recorder;
  }

  /** Called for threads without an exception handler of their own. */
  @Override
  public void uncaughtException(Thread thread, Throwable fault) {
    if (thread.getUncaughtExceptionHandler() != this) {
      super.uncaughtException(thread, fault);
      return;
    }
    log.warn(
        LogEvent.HANDLER_THREAD_FAILED,
        "a thread of the handler of recorder {} has ended, {}: it did not catch an exception",
        recorder,
        PlainText.head(thread.getName(), 100),
        HandlerFault.forTheLog(fault));
  }
}
