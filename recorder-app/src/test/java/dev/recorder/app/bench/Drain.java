package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import java.sql.Connection;
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
    host.start();
    cluster.awaitRecorded(rows, DEADLINE);
    Drain drain = new Drain(secondsOfTerm(cluster), host.peakMemoryKibibytes() >> 10);
    host.terminate();
    host.awaitExit(DEADLINE);
    return drain;
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
