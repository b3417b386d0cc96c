package dev.recorder.app.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;

/** The metrics of the process and its JVM. */
final class JvmFamilies {
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e9;

  private JvmFamilies() {}

  static void add(Families families) {
    memory(families);
    threads(families);
    process(families);
  }

  private static void memory(Families families) {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    MemoryUsage heap = memory.getHeapMemoryUsage();
    MemoryUsage other = memory.getNonHeapMemoryUsage();
    families.gauge(
        "jvm_memory_used_bytes",
        "Memory in use.",
        points -> {
          points.add((double) heap.getUsed(), "area", "heap");
          points.add((double) other.getUsed(), "area", "nonheap");
        });
    families.gauge(
        "jvm_memory_max_bytes",
        "Limit of memory; -1 without one.",
        points -> {
          points.add((double) heap.getMax(), "area", "heap");
          points.add((double) other.getMax(), "area", "nonheap");
        });
    families.counter(
        "jvm_gc_collection_seconds",
        "Time spent in collections.",
        points -> {
          for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            points.add(Math.max(0, gc.getCollectionTime()) / MILLIS, "gc", gc.getName());
          }
        });
  }

  private static void threads(Families families) {
    families.gauge(
        "jvm_threads_current",
        "Live threads.",
        points -> points.add((double) ManagementFactory.getThreadMXBean().getThreadCount()));
  }

  private static void process(Families families) {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    families.gauge(
        "process_start_time_seconds",
        "Start of the process, in seconds since 1970.",
        points -> points.add(runtime.getStartTime() / MILLIS));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      families.counter(
          "process_cpu_seconds",
          "Processor time used.",
          points -> points.add(Math.max(0, system.getProcessCpuTime()) / NANOS));
      families.gauge(
          "process_open_fds",
          "Open file descriptors.",
          points -> points.add((double) system.getOpenFileDescriptorCount()));
      families.gauge(
          "process_max_fds",
          "Limit of open file descriptors.",
          points -> points.add((double) system.getMaxFileDescriptorCount()));
    }
  }
}
