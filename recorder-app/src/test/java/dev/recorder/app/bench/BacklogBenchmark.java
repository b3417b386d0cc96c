package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How fast a standing backlog becomes settled objects, in a process with a small heap. Arguments:
 * rows (2,000,000), heap (128m).
 *
 * <p>Beside it in the same run the same rows through a {@link Pipeline}, which reads, compresses
 * and sends side by side, and neither hashes nor plans nor settles anything. Afterwards, with all
 * those rows recorded: how long {@code verify} takes, and what two hosts with nothing to do cost
 * the server.
 */
public final class BacklogBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final int ROWS_PER_TRANSACTION = 10_000;
  private static final int PAYLOAD_BYTES = 200;

  private final long rows;
  private final String heap;

  private BacklogBenchmark(long rows, String heap) {
    this.rows = rows;
    this.heap = heap;
  }

  public static void main(String[] arguments) {
    long rows = arguments.length > 0 ? Long.parseLong(arguments[0]) : 2_000_000;
    String heap = arguments.length > 1 ? arguments[1] : "128m";
    TestProgram.run("benchmark", new BacklogBenchmark(rows, heap)::run);
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database());
        Connection database = cluster.database().connectAsSuperuser()) {
      Host host = cluster.host("host-a", true, Particulars.NONE.withJvm("-Xmx" + heap));
      host.start();
      observer.await("host-a active", DEADLINE, state -> host.name().equals(state.holder()));
      host.terminate();
      host.awaitExit(DEADLINE);
      fill(database);
      Pipeline pipeline = Pipeline.measure(database, s3, cluster.bucketName());

      host.start();
      long lastSlotBefore = observer.state().lastSlot();
      observer.await("the first slot", DEADLINE, state -> state.lastSlot() > lastSlotBefore);
      double seconds = awaitRecorded(database);
      long peak = host.peakMemoryKibibytes() >> 10;
      host.terminate();
      host.awaitExit(DEADLINE);
      long verifying = System.nanoTime();
      Product.Outcome verify = cluster.spawn("verify", "-o", "json");
      double verified = (System.nanoTime() - verifying) / 1e9;
      double idle = idleShare(postgres, cluster);
      return report(
          new Drained(seconds, peak, observer.state().lastSlot()),
          pipeline,
          verify.exitCode() == 0 ? "" : verify.output(),
          new Standing(verified, idle));
    }
  }

  /** What recording all rows took. */
  private record Drained(double seconds, long peakMebibytes, long slots) {}

  /**
   * What there is to pay beside a table full of recorded rows.
   *
   * @param verifySeconds how long verify takes, with the start of its JVM
   * @param idlePercent of a core, in the server's processes, per host
   */
  private record Standing(double verifySeconds, double idlePercent) {}

  /** The server's share of a core with two hosts, less what it takes by itself, by two. */
  private static double idleShare(PostgresServer postgres, Cluster cluster) throws Exception {
    // Else autovacuum would do it, sooner or later, and be counted.
    cluster.database().execute("VACUUM (FREEZE, ANALYZE)", "CHECKPOINT");
    Thread.sleep(5_000);
    ServerLoad load = new ServerLoad(postgres.pid());
    double alone = load.percentOver(Duration.ofSeconds(20));
    Host a = cluster.host("host-a", true).start();
    Host b = cluster.host("host-b", false).start();
    a.awaitLog("active (", DEADLINE);
    b.awaitLog("standby: host-a is active", DEADLINE);
    Thread.sleep(10_000); // The pauses have grown to their longest.
    double both = load.percentOver(Duration.ofSeconds(40));
    for (Host host : List.of(a, b)) {
      host.terminate();
      host.awaitExit(DEADLINE);
    }
    return (both - alone) / 2;
  }

  /** As many transactions as applications would make of it, not one. */
  private void fill(Connection database) throws SQLException {
    System.out.println("inserting " + rows + " rows of " + PAYLOAD_BYTES + " bytes");
    try (Statement statement = database.createStatement()) {
      for (long from = 0; from < rows; from += ROWS_PER_TRANSACTION) {
        statement.execute(
            "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
                + " 'text', rpad(md5(n::text) || md5((n + 1)::text), "
                + (PAYLOAD_BYTES - 30)
                + ", md5((n + 2)::text))) FROM generate_series("
                + from
                + ", "
                + (Math.min(from + ROWS_PER_TRANSACTION, rows) - 1)
                + ") n");
      }
      statement.execute("ANALYZE handoff.orders");
      statement.execute("CHECKPOINT");
    }
  }

  /**
   * Waits for the last row, and returns the seconds from the beginning of the term to the last
   * settle, both by the database's clock.
   */
  private double awaitRecorded(Connection database) throws SQLException, InterruptedException {
    String sql =
        "SELECT (SELECT coalesce(sum(row_count), 0) FROM recorder.slots),"
            + " extract(epoch FROM settled_at - begun_at) FROM recorder.lock_recorders";
    long start = System.nanoTime();
    while (System.nanoTime() - start < DEADLINE.toNanos()) {
      try (Statement statement = database.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        if (row.getLong(1) >= rows) {
          Thread.sleep(500); // The last slot is planned; its settle follows.
          try (ResultSet last = statement.executeQuery(sql)) {
            last.next();
            return last.getDouble(2);
          }
        }
      }
      Thread.sleep(100);
    }
    throw new AssertionError("not recorded within " + DEADLINE.toSeconds() + " s");
  }

  private boolean report(Drained drained, Pipeline pipeline, String fault, Standing standing)
      throws Exception {
    double rate = rows / drained.seconds();
    boolean whole = fault.isEmpty();
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d rows in %.1f s: %.0f rows/s, %d objects, heap %s, peak memory %d MiB; the pipeline"
                + " does %.0f rows/s; verify %s in %.1f s; idle, two hosts cost the server %.2f %%"
                + " of a core each",
            rows,
            drained.seconds(),
            rate,
            drained.slots(),
            heap,
            drained.peakMebibytes(),
            pipeline.rowsPerSecond(),
            whole ? "finds nothing" : "fails: " + fault,
            standing.verifySeconds(),
            standing.idlePercent()));
    Map<String, Object> line = Machinery.line();
    line.put("rows", rows);
    line.put("rows_per_second", Math.round(rate));
    line.put("pipeline_rows_per_second", Math.round(pipeline.rowsPerSecond()));
    line.put("ratio", Machinery.hundredths(rate / pipeline.rowsPerSecond()));
    line.put("heap", heap);
    line.put("peak_memory_mib", drained.peakMebibytes());
    line.put("verify_ok", whole);
    line.put("verify_seconds", Machinery.tenths(standing.verifySeconds()));
    line.put("idle_percent_per_host", Machinery.hundredths(standing.idlePercent()));
    Machinery.print(line);
    return whole;
  }
}
