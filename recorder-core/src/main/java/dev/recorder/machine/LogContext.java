package dev.recorder.machine;

import org.slf4j.MDC;

/** Puts machine, recorder and epoch into every log line of a block. */
final class LogContext implements AutoCloseable {
  private LogContext() {}

  static LogContext of(String machine) {
    MDC.put("machine", machine);
    return new LogContext();
  }

  static LogContext of(String machine, String recorder, long epoch) {
    MDC.put("machine", machine);
    MDC.put("recorder", recorder);
    MDC.put("epoch", Long.toString(epoch));
    return new LogContext();
  }

  @Override
  public void close() {
    MDC.clear();
  }
}
