package dev.recorder.app.bench;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Rows that come at a steady rate, each a transaction of its own, and when each was committed. */
final class SteadyRows {
  private static final int PRODUCERS = 4;
  private static final String INSERT =
      "INSERT INTO handoff.orders (key, payload) VALUES (?, json_build_object('text', repeat('x',"
          + " 150)))";

  private final TestDatabase database;
  private final long[] committedAt;
  private final Duration every;

  /** So many, of which one comes each {@code every}. */
  SteadyRows(TestDatabase database, int rows, Duration every) {
    this.database = database;
    this.committedAt = new long[rows];
    this.every = every;
  }

  /** Commits them all; their keys are their numbers, from 0 on. */
  void commit() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
    try {
      long start = System.nanoTime();
      for (Future<?> producer :
          IntStream.range(0, PRODUCERS)
              .mapToObj(first -> threads.submit(() -> commit(start, first)))
              .toList()) {
        producer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Void commit(long start, int first) throws Exception {
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int row = first; row < committedAt.length; row += PRODUCERS) {
        long left = start + row * every.toNanos() - System.nanoTime();
        if (left > 0) {
          Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
        }
        insert.setString(1, Integer.toString(row));
        insert.executeUpdate();
        committedAt[row] = System.nanoTime();
      }
    }
    return null;
  }

  int count() {
    return committedAt.length;
  }

  long committedAt(int row) {
    return committedAt[row];
  }
}
