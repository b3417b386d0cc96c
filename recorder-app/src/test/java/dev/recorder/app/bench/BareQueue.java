package dev.recorder.app.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A queue as one would write it by hand, in the same number of sessions: it claims a row, settles
 * it, and commits. No attempts, no groups, no locks on entities, no retries, no line that is safe.
 *
 * @param marks whether a claim writes {@code in-progress}, or only locks the row
 */
record BareQueue(boolean marks) {
  private static final String FIRST =
      " FROM other_side WHERE request_status = 'new' AND id > ? ORDER BY id LIMIT 1"
          + " FOR UPDATE SKIP LOCKED";

  /** Works {@link QueueSite#OTHER} off, and returns the seconds that took. */
  double work(QueueSite site, int sessions) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    List<Connection> connections = new ArrayList<>();
    try {
      CountDownLatch go = new CountDownLatch(1);
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        Connection connection = site.connect();
        connections.add(connection);
        workers.add(
            threads.submit(
                () -> {
                  go.await();
                  work(connection);
                  return null;
                }));
      }
      long start = System.nanoTime();
      go.countDown();
      for (Future<?> worker : workers) {
        worker.get();
      }
      return (System.nanoTime() - start) / 1e9;
    } finally {
      threads.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private void work(Connection connection) throws SQLException {
    try (Statement settings = connection.createStatement()) {
      // No plan is to depend on statistics here, as it does not in the product's sessions.
      settings.execute(
          "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement claim = connection.prepareStatement(claim());
        PreparedStatement settle =
            connection.prepareStatement(
                "UPDATE other_side SET request_status = 'complete', process_id = ?,"
                    + " settled_at = clock_timestamp() WHERE id = ?")) {
      long id = 0;
      while ((id = claimed(claim, id)) > 0) {
        settle.setObject(1, UUID.randomUUID());
        settle.setLong(2, id);
        settle.executeUpdate();
        connection.commit();
      }
    }
    connection.commit();
  }

  private String claim() {
    return marks
        ? "UPDATE other_side SET request_status = 'in-progress' WHERE id = (SELECT id"
            + FIRST
            + ") RETURNING id, entity_id, request_type, payload"
        : "SELECT id, entity_id, request_type, payload" + FIRST;
  }

  private static long claimed(PreparedStatement claim, long line) throws SQLException {
    claim.setLong(1, line);
    try (ResultSet row = claim.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
