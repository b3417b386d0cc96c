package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Many recorders on one host: whether its heartbeats stay on time while each records a row a
 * second, and how long their takeover takes when the host dies. Arguments: recorders (200), seconds
 * (30).
 */
public final class CrowdBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final long LOOK_EVERY_MILLIS = 10;

  private final int recorders;
  private final int seconds;

  private CrowdBenchmark(int recorders, int seconds) {
    this.recorders = recorders;
    this.seconds = seconds;
  }

  public static void main(String[] arguments) {
    int recorders = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
    TestProgram.run("benchmark", new CrowdBenchmark(recorders, seconds)::run);
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database());
        Connection database = cluster.database().connectAsSuperuser()) {
      Host a = cluster.host("host-a", true).edit("[recorder:orders]", sections(true));
      Host b = cluster.host("host-b", false).edit("[recorder:orders]", sections(false));
      a.start();
      await(database, "host-a is active for all", held("host-a"));
      b.start();
      await(
          database,
          "host-b is able to take all",
          "SELECT coalesce(max(cardinality(able)), 0) FROM recorder.info_recorders"
              + " WHERE name = 'host-b'");
      double[] ages = heartbeatAges(database);
      long killedAt = System.nanoTime();
      a.kill();
      await(database, "host-b is active for all", held("host-b"));
      double secondsToLast = (System.nanoTime() - killedAt) / 1e9;
      report(ages, millisFromFirstToLast(database), secondsToLast);
      b.terminate();
      b.awaitExit(DEADLINE);
      observer.state();
      return true;
    }
  }

  /** All but the one that is there already; each makes a row a second by itself. */
  private String sections(boolean primary) {
    StringBuilder text = new StringBuilder();
    for (int number = 2; number <= recorders; number++) {
      text.append(
          """
          [recorder:r%d]
          lockid = %d
          primary = %s
          source = timer
          interval = 1s

          """
              .formatted(number, number, primary));
    }
    return text + "[recorder:orders]";
  }

  private static String held(String machine) {
    return "SELECT count(*) FROM recorder.lock_recorders WHERE holder = '" + machine + "'";
  }

  private void await(Connection database, String what, String sql) throws Exception {
    System.out.println("waiting until " + what);
    long start = System.nanoTime();
    while (!isThere(database) || number(database, sql) < recorders) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what);
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
  }

  private static boolean isThere(Connection database) throws SQLException {
    return number(database, "SELECT (to_regclass('recorder.takeovers') IS NOT NULL)::int") == 1;
  }

  private static double number(Connection database, String sql) throws SQLException {
    return TestDatabase.query(database, sql, row -> row.getDouble(1)).get(0);
  }

  /** How old the active host's heartbeat was, at each look; in milliseconds, sorted. */
  private double[] heartbeatAges(Connection database) throws Exception {
    System.out.println("watching heartbeats for " + seconds + " s");
    String age =
        "SELECT extract(epoch FROM clock_timestamp() - update_time) * 1000"
            + " FROM recorder.info_recorders WHERE name = 'host-a'";
    int looks = Math.toIntExact(seconds * 1_000L / LOOK_EVERY_MILLIS);
    double[] ages = new double[looks];
    for (int look : IntStream.range(0, looks).toArray()) {
      ages[look] = number(database, age);
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
    Arrays.sort(ages);
    return ages;
  }

  /** From the first receipt, which is the detection, to the last. */
  private static double millisFromFirstToLast(Connection database) throws SQLException {
    return number(
        database,
        "SELECT extract(epoch FROM max(at) - min(at)) * 1000 FROM recorder.takeovers"
            + " WHERE to_machine = 'host-b' AND reason = 'died'");
  }

  private void report(double[] ages, double firstToLast, double secondsToLast) throws Exception {
    double p99 = ages[(int) (ages.length * 0.99)];
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d recorders: heartbeat age p50 %.0f, p99 %.0f, max %.0f ms; taken over in %.0f ms"
                + " from the first to the last, %.0f ms after the kill",
            recorders,
            ages[ages.length / 2],
            p99,
            ages[ages.length - 1],
            firstToLast,
            secondsToLast * 1_000));
    Map<String, Object> line = Machinery.line();
    line.put("recorders", recorders);
    line.put("beat_age_p50_ms", Math.round(ages[ages.length / 2]));
    line.put("beat_age_p99_ms", Math.round(p99));
    line.put("beat_age_max_ms", Math.round(ages[ages.length - 1]));
    line.put("first_to_last_takeover_ms", Math.round(firstToLast));
    line.put("kill_to_last_takeover_ms", Math.round(secondsToLast * 1_000));
    Machinery.print(line);
  }
}
