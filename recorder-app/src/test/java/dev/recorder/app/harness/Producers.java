package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Applications that insert rows at a steady rate, each on its own connection straight to the
 * database: short transactions, some slow ones that others overtake, some rolled back.
 */
public final class Producers implements AutoCloseable {
  private static final int EVERY_SLOW = 12;
  private static final int EVERY_ROLLED_BACK = 7;
  private static final int MOST_ROWS = 5;
  private static final Duration SLOW_ROW = Duration.ofMillis(150);

  private final TestDatabase database;
  private final Ledger ledger;
  private final Duration pause;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();

  private Producers(TestDatabase database, Ledger ledger, int connections, Duration pause) {
    this.database = database;
    this.ledger = ledger;
    this.pause = pause;
    this.threads =
        Executors.newFixedThreadPool(
            connections,
            task -> {
              Thread thread = new Thread(task, "producer");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts inserting; the recorder's table must be there.
   *
   * @param pause of each producer between two transactions
   */
  public static Producers start(
      TestDatabase database, Ledger ledger, int connections, Duration pause) {
    Producers producers = new Producers(database, ledger, connections, pause);
    for (int number = 1; number <= connections; number++) {
      int id = number;
      producers.running.add(
          producers.threads.submit(
              () -> {
                producers.produce(id);
                return id;
              }));
    }
    return producers;
  }

  /** Lets every producer finish its transaction, and fails if one of them failed. */
  public void stop() throws InterruptedException {
    stop.countDown();
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a producer failed: it must never notice a fault", e);
      }
    }
    close();
  }

  @Override
  public void close() {
    stop.countDown();
    threads.shutdownNow();
  }

  private void produce(int producer) throws SQLException, InterruptedException {
    Random random = new Random(producer);
    try (Connection connection = database.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO handoff."
                    + Cluster.RECORDER
                    + " (key, payload) VALUES (?, ?::json)")) {
      connection.setAutoCommit(false);
      for (int count = 1; stop.getCount() > 0; count++) {
        transact(connection, insert, "p" + producer + "-" + count, random, count + producer);
        stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  private void transact(
      Connection connection, PreparedStatement insert, String name, Random random, int turn)
      throws SQLException, InterruptedException {
    boolean slow = turn % EVERY_SLOW == 0;
    int rows = 1 + random.nextInt(MOST_ROWS);
    List<String> keys = new ArrayList<>();
    long began = System.nanoTime();
    for (int row = 0; row < rows; row++) {
      if (slow) {
        Thread.sleep(SLOW_ROW.toMillis());
      }
      String key = name + "-" + row;
      insert.setString(1, key);
      insert.setString(2, "{\"order\": \"" + key + "\",\n \"amount\": " + row + "}");
      insert.executeUpdate();
      keys.add(key);
    }
    if (turn % EVERY_ROLLED_BACK == 0) {
      connection.rollback();
      ledger.rolledBack(keys.size());
    } else {
      connection.commit();
      ledger.committed(new Ledger.Transaction(began, System.nanoTime()), keys);
    }
  }
}
