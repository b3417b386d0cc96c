package dev.recorder.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What threads have taken of the processors, which waiting adds nothing to. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /** Of the calling thread so far, in nanoseconds; {@link Long#MAX_VALUE} where it is not told. */
  public static long ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
        ? threads.getCurrentThreadCpuTime()
        : Long.MAX_VALUE;
  }
}
