package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What a host has made of a standing backlog.
 *
 * @param seconds from the beginning of its term to its last settled slot, by the database's clock
 * @param peakMebibytes of its memory
 */
record Drain(double seconds, long peakMebibytes) {
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  /** Starts the host, and ends it when so many rows in all are recorded. */
  static Drain by(Host host, Cluster cluster, long rows) throws Exception {
    Drain drain = begunBy(host, cluster, rows);
    host.terminate();
    host.awaitExit(DEADLINE);
    return drain;
  }

  /** Starts the host, and lets it go on when so many rows in all are recorded. */
  static Drain begunBy(Host host, Cluster cluster, long rows) throws Exception {
    host.start();
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    do {
      awaitRest(cluster, deadline);
    } while (cluster.recordedRows() < rows);
    return new Drain(secondsOfTerm(cluster), host.peakMemoryKibibytes() >> 10);
  }

  /**
   * Until nothing was settled for a moment. It asks one row: to count what is in thousands of slots
   * ten times a second takes the server as long as an eighth of the drain.
   */
  private static void awaitRest(Cluster cluster, long deadline)
      throws SQLException, InterruptedException {
    try (Connection database = cluster.database().connectAsSuperuser();
        PreparedStatement rest =
            database.prepareStatement(
                "SELECT settled_at < clock_timestamp() - interval '1 s'"
                    + " FROM recorder.lock_recorders")) {
      boolean resting = false;
      while (!resting) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("not recorded within " + DEADLINE.toMinutes() + " minutes");
        }
        Thread.sleep(100);
        try (ResultSet row = rest.executeQuery()) {
          resting = row.next() && row.getBoolean(1);
        }
      }
    }
  }

  private static double secondsOfTerm(Cluster cluster) throws SQLException {
    try (Connection database = cluster.database().connectAsSuperuser();
        Statement statement = database.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT extract(epoch FROM settled_at - begun_at) FROM recorder.lock_recorders")) {
      row.next();
      return row.getDouble(1);
    }
  }
}
