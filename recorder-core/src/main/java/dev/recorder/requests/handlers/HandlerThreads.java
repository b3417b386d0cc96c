package dev.recorder.requests.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.logging.LogEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which a user's handler is made and runs, and all those that it starts: they belong
 * to the group of the thread that starts them. What is thrown on one of the latter, and that nobody
 * deals with, is a fault of the handler, and must not end the machine as one of its own would, or
 * one request would end one machine after the other.
 */
public final class HandlerThreads extends ThreadGroup {
  private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

  private final RecorderName recorder;

  public HandlerThreads(RecorderName recorder) {
    super("handler-" + recorder);
    this.recorder = recorder;
  }

  /** Of a thread that has nobody of its own who is told. */
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
        UsersFault.forTheLog(fault));
  }
}
