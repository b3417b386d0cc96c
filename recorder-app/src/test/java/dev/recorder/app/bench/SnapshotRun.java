package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.handoff.RecorderName;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A snapshot of a captured table, to the last chunk's commit, while single rows are updated; then
 * what it has handed over becomes objects, as any backlog does.
 */
record SnapshotRun(Cluster cluster, RecorderName recorder, String table, int rows) {
  private static final String UPDATE = "UPDATE %s SET amount = amount + 1 WHERE id = ?";

  /** Measures, and adds its figures to {@code line}. */
  void measure(Map<String, Object> line, Captures captures, Host host) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger chunks = new AtomicInteger();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    double rate;
    try {
      Future<Long> longestUpdate = pool.submit(() -> updates(ended));
      long began = System.nanoTime();
      captures.snapshot(recorder, table, false, (done, percent) -> chunks.incrementAndGet());
      rate = rows * 1e9 / (System.nanoTime() - began);
      ended.set(true);
      line.put("snapshot_rows_per_second", Math.round(rate));
      line.put("snapshot_chunks", chunks.get());
      line.put("snapshot_longest_update_ms", longestUpdate.get() / 1_000_000);
    } finally {
      ended.set(true);
      pool.shutdownNow();
    }
    TestDatabase database = cluster.database();
    database.execute("ANALYZE handoff." + recorder, "CHECKPOINT");
    long handedOver = database.number("SELECT count(*) FROM handoff." + recorder);
    double drained = handedOver / Drain.by(host, cluster, handedOver).seconds();
    line.put("drain_rows_per_second", Math.round(drained));
    line.put("snapshot_to_drain", Machinery.hundredths(rate / drained));
    System.out.println(line);
  }

  /** Ten a second; for how long the slowest has taken. */
  private long updates(AtomicBoolean ended) throws SQLException, InterruptedException {
    long longest = 0;
    try (Connection connection = cluster.database().connectAsSuperuser();
        PreparedStatement statement = connection.prepareStatement(UPDATE.formatted(table))) {
      while (!ended.get()) {
        statement.setLong(1, ThreadLocalRandom.current().nextLong(rows) + 1);
        long began = System.nanoTime();
        statement.executeUpdate();
        longest = Math.max(longest, System.nanoTime() - began);
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
    return longest;
  }
}
