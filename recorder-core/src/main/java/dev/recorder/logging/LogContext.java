package dev.recorder.logging;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds host, recorder and epoch to each log line of a block, and restores the previous MDC at the
 * block's end.
 */
public final class LogContext implements AutoCloseable {
  private final @Nullable Map<String, String> before = MDC.getCopyOfContextMap();

  private LogContext() {}

  public static LogContext of(String machine) {
    LogContext context = new LogContext();
    MDC.put("machine", machine);
    return context;
  }

  public static LogContext of(String machine, String recorder, long epoch) {
    LogContext context = of(machine);
    MDC.put("recorder", recorder);
    MDC.put("epoch", Long.toString(epoch));
    return context;
  }

  @Override
  public void close() {
    if (before == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(before);
    }
  }
}
