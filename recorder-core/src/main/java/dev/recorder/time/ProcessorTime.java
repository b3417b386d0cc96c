package dev.recorder.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of threads, without time spent waiting. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /**
   * Processor time of the calling thread in nanoseconds; {@link Long#MAX_VALUE} where the JVM does
   * not tell.
   */
  public static long ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
        ? threads.getCurrentThreadCpuTime()
        : Long.MAX_VALUE;
  }
}
