package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How fast a standing backlog becomes settled objects, in a process with a small heap. Arguments:
 * rows (5,000,000), heap (256m), bytes of a payload (200), rows that were recorded before and are
 * still there (0). No row lingers: the last object would wait for rows that do not come.
 *
 * <p>Beside it in the same run the same rows through a {@link Pipeline}, which reads, compresses
 * and sends side by side, and neither hashes nor plans nor settles anything. Afterwards, with all
 * those rows recorded: how long {@code verify} takes, and what two hosts with nothing to do cost
 * the server.
 */
public final class BacklogBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final long rows;
  private final String heap;
  private final int payloadBytes;
  private final long recordedBefore;

  private BacklogBenchmark(List<String> arguments) {
    this.rows = Long.parseLong(argument(arguments, 0, "5000000"));
    this.heap = argument(arguments, 1, "256m");
    this.payloadBytes = Integer.parseInt(argument(arguments, 2, "200"));
    this.recordedBefore = Long.parseLong(argument(arguments, 3, "0"));
  }

  public static void main(String[] arguments) {
    TestProgram.run("benchmark", new BacklogBenchmark(List.of(arguments))::run);
  }

  private static String argument(List<String> arguments, int place, String usual) {
    return arguments.size() > place ? arguments.get(place) : usual;
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "0ms");
        Observer observer = new Observer(cluster.database());
        Connection database = cluster.database().connectAsSuperuser()) {
      Host host = cluster.host("host-a", true, Particulars.NONE.withJvm("-Xmx" + heap));
      host.start();
      observer.await("host-a active", DEADLINE, state -> host.name().equals(state.holder()));
      WaitingRows.insert(database, recordedBefore, payloadBytes);
      cluster.awaitRecorded(recordedBefore, DEADLINE);
      host.terminate();
      host.awaitExit(DEADLINE);
      WaitingRows.insert(database, rows, payloadBytes);
      Pipeline pipeline = Pipeline.measure(database, s3, cluster.bucketName());

      Drain drain = Drain.by(host, cluster, recordedBefore + rows);
      long verifying = System.nanoTime();
      Product.Outcome verify = cluster.spawn("verify", "-o", "json");
      double verified = (System.nanoTime() - verifying) / 1e9;
      double idle = idleShare(postgres, cluster);
      return report(
          new Drained(drain, observer.state().lastSlot()),
          pipeline,
          verify.exitCode() == 0 ? "" : verify.output(),
          new Standing(verified, idle));
    }
  }

  /** What recording all rows took. */
  private record Drained(Drain drain, long slots) {}

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

  private boolean report(Drained drained, Pipeline pipeline, String fault, Standing standing)
      throws Exception {
    double rate = rows / drained.drain().seconds();
    boolean whole = fault.isEmpty();
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d rows in %.1f s: %.0f rows/s, %d objects, heap %s, peak memory %d MiB; the pipeline"
                + " does %.0f rows/s; verify %s in %.1f s; idle, two hosts cost the server %.2f %%"
                + " of a core each",
            rows,
            drained.drain().seconds(),
            rate,
            drained.slots(),
            heap,
            drained.drain().peakMebibytes(),
            pipeline.rowsPerSecond(),
            whole ? "finds nothing" : "fails: " + fault,
            standing.verifySeconds(),
            standing.idlePercent()));
    Map<String, Object> line = Machinery.line();
    line.put("rows", rows);
    line.put("payload_bytes", payloadBytes);
    line.put("recorded_before", recordedBefore);
    line.put("rows_per_second", Math.round(rate));
    line.put("pipeline_rows_per_second", Math.round(pipeline.rowsPerSecond()));
    line.put("ratio", Machinery.hundredths(rate / pipeline.rowsPerSecond()));
    line.put("heap", heap);
    line.put("peak_memory_mib", drained.drain().peakMebibytes());
    line.put("verify_ok", whole);
    line.put("verify_seconds", Machinery.tenths(standing.verifySeconds()));
    line.put("idle_percent_per_host", Machinery.hundredths(standing.idlePercent()));
    Machinery.print(line);
    return whole;
  }
}
