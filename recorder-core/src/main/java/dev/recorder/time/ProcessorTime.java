package dev.recorder.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of threads, without time spent waiting. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /**
   * Returns the processor time of the calling thread in nanoseconds, or {@link Long#MAX_VALUE} if
   * the JVM does not measure it.
   */
  public static long ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
        ? threads.getCurrentThreadCpuTime()
        : Long.MAX_VALUE;
  }
}
