package dev.recorder.app.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * As many recorders on one host as there can be, with a standby: whether heartbeats stay on time,
 * what host and server take, and how soon all have a new term, and have settled a slot, when the
 * host dies. Each log has a row waiting at that moment. All times by the database's clock; the
 * server has as many connections, and as much room for locks, as without configuration. Arguments:
 * recorders (998), seconds of watching (20), without anybody who reads metrics and with, and {@code
 * verify_every} of all, if the host is to be watched while it verifies each log for the first time.
 */
public final class ManyBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(30);

  /**
   * Longer than the watching, and than it takes to put a row into each log: none is due before the
   * kill, so that the next active host finds one in each.
   */
  private static final String LINGER = "2m";

  private static final long LOOK_EVERY_MILLIS = 20;
  private static final Duration SCRAPE_EVERY = Duration.ofSeconds(15);

  private final int recorders;
  private final int seconds;
  private final String verifyEvery;
  private final Map<String, Object> line = new LinkedHashMap<>();

  private ManyBenchmark(int recorders, int seconds, String verifyEvery) {
    this.recorders = recorders;
    this.seconds = seconds;
    this.verifyEvery = verifyEvery;
  }

  public static void main(String[] arguments) {
    int recorders = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 998;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
    String verifyEvery = arguments.length > 2 ? arguments[2] : "";
    TestProgram.run("benchmark", new ManyBenchmark(recorders, seconds, verifyEvery)::run);
  }

  private boolean run() throws Exception {
    List<String> names = ManyLogs.names(recorders);
    PostgresServer.Builder server =
        PostgresServer.builder().durable().set("max_connections", "100");
    try (PostgresServer postgres = Machinery.start(server);
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, new Recording(names, LINGER));
        ManyLogs logs = new ManyLogs(names, cluster)) {
      Host a = scheduled(cluster.host("host-a", Set.copyOf(names), Particulars.STEADY));
      HttpSite metrics = HttpSite.of(a);
      Host b = scheduled(cluster.host("host-b", Set.of(), Particulars.STEADY));
      put("set_up_s", secondsOf(() -> startFirst(a, logs)));
      put("standby_able_s", secondsOf(() -> startSecond(b, logs)));
      cluster.database().execute("VACUUM (ANALYZE)", "CHECKPOINT");
      logs.insertIntoEach();
      cluster.awaitRecorded(logs.rows(), DEADLINE);
      Thread.sleep(5_000);
      watch(a, postgres, logs);
      watchScraped(metrics, postgres, logs);
      if (!verifyEvery.isEmpty()) {
        watchVerifying(a, postgres, logs);
      }
      takeOver(a, logs);
      b.terminate();
      b.awaitExit(DEADLINE);
      boolean proved = isProved(cluster, logs.rows());
      Map<String, Object> whole = Machinery.line();
      whole.put("recorders", recorders);
      whole.putAll(line);
      whole.put("proof_holds", proved);
      Machinery.print(whole);
      return proved;
    }
  }

  private Host scheduled(Host host) {
    return verifyEvery.isEmpty()
        ? host
        : host.edit("linger = " + LINGER, "linger = " + LINGER + "\nverify_every = " + verifyEvery);
  }

  /** Whether the logs have as many rows as were inserted, and {@code verify} finds no fault. */
  private static boolean isProved(Cluster cluster, long rows) throws Exception {
    Product.Outcome verify = cluster.spawn("verify", "-o", "json");
    long found = 0;
    for (String verdict : verify.output().lines().toList()) {
      found += new ObjectMapper().readTree(verdict).get("rows").asLong();
    }
    System.out.println(rows + " rows inserted, " + found + " found in objects");
    return verify.exitCode() == 0 && found == rows;
  }

  private void put(String what, Number value) {
    line.put(what, value);
    System.out.println(what + " " + value);
  }

  private static double secondsOf(Step step) throws Exception {
    long start = System.nanoTime();
    step.run();
    return Machinery.tenths((System.nanoTime() - start) / 1e9);
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static void startFirst(Host a, ManyLogs logs) throws Exception {
    a.start();
    logs.await(
        "host-a is active for all",
        DEADLINE,
        "SELECT count(*) FROM recorder.lock_recorders WHERE holder = 'host-a'");
  }

  private static void startSecond(Host b, ManyLogs logs) throws Exception {
    b.start();
    logs.await(
        "host-b is able to take all",
        DEADLINE,
        "SELECT coalesce(max(cardinality(able)), 0) FROM recorder.info_recorders"
            + " WHERE name = 'host-b'");
  }

  /** With a row now and then. */
  private void watch(Host a, PostgresServer postgres, ManyLogs logs) throws Exception {
    System.out.println("watching heartbeats for " + seconds + " s");
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    watch(a, postgres, logs, "", () -> System.nanoTime() - end >= 0);
    put("host_rss_mib", ProcessMemory.residentMebibytes(a.pid()));
    put("server_pss_mib", ProcessMemory.proportionalMebibytes(postgres.pid()));
  }

  /** The same while its metrics are read as Prometheus reads them. */
  private void watchScraped(HttpSite metrics, PostgresServer postgres, ManyLogs logs)
      throws Exception {
    System.out.println("the same, scraped every " + SCRAPE_EVERY.toSeconds() + " s");
    long begin = System.nanoTime();
    AtomicLong scrapes = new AtomicLong();
    watch(
        metrics.host(),
        postgres,
        logs,
        "scraped_",
        () -> {
          long lasts = System.nanoTime() - begin;
          if (lasts >= scrapes.get() * SCRAPE_EVERY.toNanos()) {
            scrapes.incrementAndGet();
            metrics.get("/metrics");
          }
          return lasts >= seconds * 1_000_000_000L;
        });
    put("scrapes", scrapes.get());
    put("look_ms", Machinery.tenths(1_000 * metrics.metric("recorder_sample_duration_seconds")));
  }

  /** Until each log has a verdict that names a slot; with a row now and then. */
  private void watchVerifying(Host a, PostgresServer postgres, ManyLogs logs) throws Exception {
    System.out.println("watching heartbeats until each log was verified");
    String verified = "SELECT count(*) FROM recorder.verdicts WHERE to_slot > 0";
    put("verified_before", (long) logs.number(verified));
    long start = System.nanoTime();
    watch(
        a,
        postgres,
        logs,
        "verifying_",
        () -> {
          if (System.nanoTime() - start > DEADLINE.toNanos()) {
            throw new AssertionError(logs.number(verified) + " of " + recorders + " are verified");
          }
          return logs.number(verified) >= recorders;
        });
    put("verified_all_s", Machinery.tenths((System.nanoTime() - start) / 1e9));
    put("verdicts_with_faults", (long) logs.number(verified + " AND NOT ok"));
  }

  @FunctionalInterface
  private interface Question {
    boolean ask() throws Exception;
  }

  private void watch(Host a, PostgresServer postgres, ManyLogs logs, String as, Question isOver)
      throws Exception {
    ServerLoad ofHost = new ServerLoad(a.pid());
    ServerLoad ofServer = new ServerLoad(postgres.pid());
    ofHost.begin();
    ofServer.begin();
    List<Double> ages = new ArrayList<>();
    while (!isOver.ask()) {
      ages.add(logs.number(age("host-a")));
      if (ages.size() % 5 == 0) {
        logs.insertOne();
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    put(as + "host_percent_of_a_core", Machinery.tenths(ofHost.percent()));
    put(as + "server_percent_of_a_core", Machinery.tenths(ofServer.percent()));
    putAges(as + "beat_age", ages);
  }

  private static String age(String host) {
    return "SELECT extract(epoch FROM clock_timestamp() - update_time) * 1000"
        + " FROM recorder.info_recorders WHERE name = '"
        + host
        + "'";
  }

  private void putAges(String what, List<Double> ages) {
    double[] sorted = ages.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    put(what + "_p50_ms", Math.round(sorted[sorted.length / 2]));
    put(what + "_p99_ms", Math.round(sorted[(int) (sorted.length * 0.99)]));
    put(what + "_max_ms", Math.round(sorted[sorted.length - 1]));
  }

  /** Kills the active host, and watches its successor until each log has a settled slot. */
  private void takeOver(Host a, ManyLogs logs) throws Exception {
    logs.insertIntoEach();
    double killed = logs.number("SELECT extract(epoch FROM clock_timestamp()) * 1000");
    a.kill();
    List<Double> ages = new ArrayList<>();
    String settled =
        "SELECT count(*) FROM recorder.lock_recorders"
            + " WHERE holder = 'host-b' AND settled_at > begun_at";
    long start = System.nanoTime();
    while (logs.number(settled) < recorders) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError(logs.number(settled) + " of " + recorders + " have settled");
      }
      ages.add(logs.number(age("host-b")));
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    String begun = " FROM recorder.takeovers WHERE to_machine = 'host-b'";
    String settles = " FROM recorder.lock_recorders";
    putSince(killed, "kill_to_first_term", logs, "min(" + millis("at") + ")" + begun);
    putSince(killed, "kill_to_last_term", logs, "max(" + millis("at") + ")" + begun);
    putSince(
        killed,
        "kill_to_median_settle",
        logs,
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY " + millis("settled_at") + ")" + settles);
    putSince(killed, "kill_to_last_settle", logs, "max(" + millis("settled_at") + ")" + settles);
    putAges("successor_beat_age", ages);
  }

  private static String millis(String column) {
    return "extract(epoch FROM " + column + ") * 1000";
  }

  private void putSince(double killed, String what, ManyLogs logs, String moment) throws Exception {
    put(what + "_ms", Math.round(logs.number("SELECT " + moment) - killed));
  }
}
