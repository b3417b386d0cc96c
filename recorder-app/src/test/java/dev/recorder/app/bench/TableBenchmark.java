package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.handoff.RecorderName;
import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.S3Settings;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.table.LogAddress;
import dev.recorder.table.TableProof;
import dev.recorder.table.parquet.ParquetFormat;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * What a table costs its log, and how fast it is made. Arguments: rows (1,000,000), heap (256m),
 * bytes of a payload (200).
 *
 * <p>A backlog is recorded once without a table, and once with one, which is made meanwhile. The
 * first log then gets its table afterwards, by a host that has nothing else to do.
 */
public final class TableBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(20);
  private static final String LINGER = "linger = 0ms";
  private static final String TABLE = "table = delta\ntable_interval = 1s";

  private final long rows;
  private final String heap;
  private final int payloadBytes;

  private TableBenchmark(List<String> arguments) {
    this.rows = Long.parseLong(arguments.isEmpty() ? "1000000" : arguments.get(0));
    this.heap = arguments.size() > 1 ? arguments.get(1) : "256m";
    this.payloadBytes = arguments.size() > 2 ? Integer.parseInt(arguments.get(2)) : 200;
  }

  public static void main(String[] arguments) {
    TestProgram.run("benchmark", new TableBenchmark(List.of(arguments))::run);
  }

  /**
   * What a run took.
   *
   * @param log seconds until all rows were recorded
   * @param table seconds until the table had all rows; from the beginning of the log, if the table
   *     was made meanwhile
   */
  private record Taken(double log, double table, long peakMebibytes) {}

  private boolean run() throws Exception {
    Taken without = measure(false);
    Taken with = measure(true);
    double slowdown = 100 * (with.log() / without.log() - 1);
    System.out.printf(
        Locale.ROOT,
        "%d rows of %d bytes, heap %s: %.0f rows/s without a table, %.0f with one (%.1f %% longer),"
            + " which had them after %.1f s; alone it is made at %.0f rows/s, %.2f of the log's rate%n",
        rows,
        payloadBytes,
        heap,
        rows / without.log(),
        rows / with.log(),
        slowdown,
        with.table(),
        rows / without.table(),
        without.log() / without.table());
    Map<String, Object> line = Machinery.line();
    line.put("rows", rows);
    line.put("payload_bytes", payloadBytes);
    line.put("heap", heap);
    line.put("rows_per_second", Math.round(rows / without.log()));
    line.put("rows_per_second_with_table", Math.round(rows / with.log()));
    line.put("slowdown_percent", Machinery.tenths(slowdown));
    line.put("table_rows_per_second", Math.round(rows / without.table()));
    line.put("ratio", Machinery.hundredths(without.log() / without.table()));
    line.put("peak_memory_mib", with.peakMebibytes());
    return Machinery.print(line);
  }

  private Taken measure(boolean meanwhile) throws Exception {
    Recording recording = new Recording(List.of(Cluster.RECORDER), "0ms");
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, recording);
        Connection database = cluster.database().connectAsSuperuser()) {
      Host host = cluster.host("host-a", true, Particulars.NONE.withJvm("-Xmx" + heap));
      if (meanwhile) {
        host.edit(LINGER, LINGER + "\n" + TABLE);
      }
      cluster.database().execute(cluster.run("schema").output());
      WaitingRows.insert(database, rows, payloadBytes);
      Drain drain = meanwhile ? Drain.begunBy(host, cluster, rows) : Drain.by(host, cluster, rows);
      if (!meanwhile) {
        host.edit(LINGER, LINGER + "\n" + TABLE).start();
        host.awaitLog("active (", DEADLINE);
      }
      double table = secondsUntilTheTableIsWhole(cluster, s3);
      long peak = host.peakMemoryKibibytes() >> 10;
      host.terminate();
      host.awaitExit(DEADLINE);
      return new Taken(drain.seconds(), table, peak);
    }
  }

  /** By the database's clock, from the beginning of the last term. */
  private static double secondsUntilTheTableIsWhole(Cluster cluster, S3Server s3) throws Exception {
    S3Server.knowInThisProcess();
    S3Settings settings =
        S3Settings.of(S3Server.REGION, cluster.bucketName())
            .endpoint(s3.endpoint().toString())
            .pathStyle(true)
            .build();
    String recorder = Cluster.RECORDER;
    LogLayout layout =
        new LogLayout(
            "", cluster.bucketName(), Cluster.PREFIX, new RecorderName(recorder), Compression.GZIP);
    UUID log = UUID.fromString(row(cluster, "log_uuid"));
    long last = Long.parseLong(row(cluster, "last_slot"));
    try (S3ObjectStore store = S3ObjectStore.open(settings)) {
      TableProof table = new TableProof(new LogAddress(store, layout, log), new ParquetFormat());
      long deadline = System.nanoTime() + DEADLINE.toNanos();
      while (table.covered().orElse(0L) < last) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("the table is not whole after " + DEADLINE);
        }
        Thread.sleep(500);
      }
    }
    return Double.parseDouble(row(cluster, "extract(epoch FROM clock_timestamp() - begun_at)"));
  }

  private static String row(Cluster cluster, String column) throws SQLException {
    return cluster
        .database()
        .query("SELECT " + column + " FROM recorder.lock_recorders", row -> row.getString(1))
        .get(0);
  }
}
