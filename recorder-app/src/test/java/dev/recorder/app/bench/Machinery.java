package dev.recorder.app.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import dev.recorder.testing.servers.PostgresServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The computer and the server a benchmark ran on: figures mean nothing without them. */
public final class Machinery {
  private static volatile String server = "none";

  private Machinery() {}

  /** Starts the server that was chosen, and says which it is. */
  public static PostgresServer start(PostgresServer.Builder builder) throws SQLException {
    PostgresServer postgres = builder.start();
    String description = postgres.description();
    if (!description.equals(server)) {
      server = description;
      System.out.println("on " + server);
    }
    return postgres;
  }

  /** A line for programs that begins with the server, and the computer's size and load. */
  public static Map<String, Object> line() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("server", server);
    line.put("cores", system.getAvailableProcessors());
    line.put("memory_mib", system.getTotalMemorySize() >> 20);
    line.put("load_average", tenths(system.getSystemLoadAverage()));
    return line;
  }

  /** Prints it, and is content. */
  public static boolean print(Map<String, Object> line) throws IOException {
    System.out.println(new ObjectMapper().writeValueAsString(line));
    return true;
  }

  /** The value in the middle, or the mean of the two that are. */
  public static double median(Collection<? extends Number> values) {
    double[] sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  public static double hundredths(double value) {
    return Math.round(100 * value) / 100.0;
  }

  public static double tenths(double value) {
    return Math.round(10 * value) / 10.0;
  }
}
