package dev.recorder.app.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** The computer a benchmark ran on: figures mean nothing without it. */
final class Machinery {
  private Machinery() {}

  /** A line for programs that begins with the computer's size and load. */
  static Map<String, Object> line() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("cores", system.getAvailableProcessors());
    line.put("memory_mib", system.getTotalMemorySize() >> 20);
    line.put("load_average", Math.round(system.getSystemLoadAverage() * 10) / 10.0);
    return line;
  }
}
