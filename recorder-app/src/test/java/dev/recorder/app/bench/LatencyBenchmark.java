package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long a row takes from its commit until its object can be seen: at a steady rate, and alone;
 * and what a host with one recorder costs when nothing comes. Arguments: seconds of each (20), rows
 * a second (1,000); or {@code idle} for the last part alone, and after how many minutes (0).
 */
public final class LatencyBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final Duration ALONE = Duration.ofMillis(330);

  private final int seconds;
  private final int rate;

  private LatencyBenchmark(int seconds, int rate) {
    this.seconds = seconds;
    this.rate = rate;
  }

  public static void main(String[] arguments) {
    if (arguments.length > 0 && arguments[0].equals("idle")) {
      long minutes = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
      TestProgram.run("benchmark", () -> runIdle(Duration.ofMinutes(minutes)));
      return;
    }
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    int rate = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    TestProgram.run("benchmark", new LatencyBenchmark(seconds, rate)::run);
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start()) {
      Duration steady = Duration.ofNanos(1_000_000_000 / rate);
      int many = seconds * rate;
      int few = (int) (seconds * 1_000L / ALONE.toMillis());
      Map<String, Object> line = Machinery.line();
      line.put("rows_per_second", rate);
      measure(postgres, s3, "0s", few, ALONE).put(line, "alone");
      measure(postgres, s3, "0s", many, steady).put(line, "linger_0s");
      measure(postgres, s3, "1s", many, steady).put(line, "linger_1s");
      measure(postgres, s3, "auto", many, steady).put(line, "linger_auto");
      idle(postgres, s3, Duration.ZERO, line);
      return Machinery.print(line);
    }
  }

  private static boolean runIdle(Duration before) throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start()) {
      Map<String, Object> line = Machinery.line();
      line.put("idle_minutes_before", before.toMinutes());
      idle(postgres, s3, before, line);
      return Machinery.print(line);
    }
  }

  /**
   * What rows and objects took.
   *
   * @param rows of each row, in milliseconds, sorted
   * @param oldest of the row in each object that took longest, sorted
   */
  private record Latencies(List<Double> rows, List<Double> oldest) {
    void put(Map<String, Object> line, String what) {
      System.out.println(
          String.format(
              Locale.ROOT,
              "%s: %d rows in %d objects, commit to object p50 %.0f, p99 %.0f, max %.0f ms; of the"
                  + " oldest row in each object p50 %.0f, p99 %.0f ms",
              what,
              rows.size(),
              oldest.size(),
              at(rows, 0.5),
              at(rows, 0.99),
              at(rows, 1),
              at(oldest, 0.5),
              at(oldest, 0.99)));
      line.put(what + "_objects", oldest.size());
      line.put(what + "_p50_ms", Math.round(at(rows, 0.5)));
      line.put(what + "_p99_ms", Math.round(at(rows, 0.99)));
      line.put(what + "_oldest_p50_ms", Math.round(at(oldest, 0.5)));
      line.put(what + "_oldest_p99_ms", Math.round(at(oldest, 0.99)));
    }

    private static double at(List<Double> sorted, double part) {
      return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * part)));
    }
  }

  private static Latencies measure(
      PostgresServer postgres, S3Server s3, String linger, int count, Duration every)
      throws Exception {
    try (Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, linger);
        Observer observer = new Observer(cluster.database())) {
      Host host = start(cluster, observer);
      // The host's code is compiled by then, and the first slot, which waits for nothing, is past.
      new SteadyRows(cluster.database(), 3_000, Duration.ofMillis(1)).commit();
      observer.await("the first slot", DEADLINE, state -> state.lastSlot() > 0);
      Thread.sleep(11_000);
      int before = Math.toIntExact(observer.state().lastSlot());
      SteadyRows rows = new SteadyRows(cluster.database(), count, every);
      try (SlotTimes slots = new SlotTimes(s3, cluster)) {
        rows.commit();
        Thread.sleep(11_000);
        end(host);
        slots.close();
        return latencies(rows, slots, before);
      }
    }
  }

  private static Latencies latencies(SteadyRows rows, SlotTimes slots, int before)
      throws Exception {
    List<Double> each = new ArrayList<>();
    List<Double> oldest = new ArrayList<>();
    for (int slot = before + 1; slot <= slots.count(); slot++) {
      double longest = 0;
      for (int row : slots.rows(slot)) {
        double millis = Math.max(0, slots.seenAt(slot) - rows.committedAt(row)) / 1e6;
        each.add(millis);
        longest = Math.max(longest, millis);
      }
      oldest.add(longest);
    }
    if (each.size() != rows.count()) {
      throw new AssertionError(each.size() + " of " + rows.count() + " rows in objects");
    }
    return new Latencies(each.stream().sorted().toList(), oldest.stream().sorted().toList());
  }

  /**
   * The share of a core that a host with one recorder takes, and the server for it.
   *
   * @param before how long it has been idle by then, beside a quarter of a minute
   */
  private static void idle(
      PostgresServer postgres, S3Server s3, Duration before, Map<String, Object> line)
      throws Exception {
    try (Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database())) {
      Duration time = Duration.ofSeconds(30);
      ServerLoad server = new ServerLoad(postgres.pid());
      double alone = server.percentOver(time);
      Host host = start(cluster, observer);
      new SteadyRows(cluster.database(), 1_000, Duration.ofMillis(1)).commit();
      Thread.sleep(before.plusSeconds(15).toMillis());
      ServerLoad daemon = new ServerLoad(host.pid());
      double withHost = server.percentOver(time);
      double ofHost = daemon.percentOver(time);
      long resident = ProcessMemory.residentMebibytes(host.pid());
      end(host);
      System.out.println(
          String.format(
              Locale.ROOT,
              "idle with one recorder: %.2f %% of a core for the host, %.2f %% in PostgreSQL; the"
                  + " host has %d MiB in memory",
              ofHost,
              withHost - alone,
              resident));
      line.put("idle_host_percent", Machinery.hundredths(ofHost));
      line.put("idle_server_percent", Machinery.hundredths(withHost - alone));
      line.put("idle_host_rss_mib", resident);
    }
  }

  private static Host start(Cluster cluster, Observer observer) throws Exception {
    Host host = cluster.host("host-a", true).start();
    observer.await("host-a active", DEADLINE, state -> host.name().equals(state.holder()));
    return host;
  }

  private static void end(Host host) {
    host.terminate();
    host.awaitExit(DEADLINE);
  }
}
