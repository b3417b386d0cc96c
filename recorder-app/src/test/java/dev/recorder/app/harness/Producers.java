package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
  private static final Duration RECONNECT = Duration.ofMillis(50);
  private static final String INSERT =
      "INSERT INTO handoff." + Cluster.RECORDER + " (key, payload) VALUES (?, ?::json)";

  private final TestDatabase database;
  private final Ledger ledger;
  private final Duration pause;
  private final boolean persistent;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();

  private Producers(
      TestDatabase database, Ledger ledger, int connections, Duration pause, boolean persistent) {
    this.persistent = persistent;
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
   * Starts inserting; the recorder's table must be there. A producer that meets an error fails.
   *
   * @param pause of each producer between two transactions
   */
  public static Producers start(
      TestDatabase database, Ledger ledger, int connections, Duration pause) {
    return new Producers(database, ledger, connections, pause, false).begin(connections);
  }

  /**
   * The same for a database that will be down: producers connect again until it is back. Whether a
   * transaction was committed whose commit got no answer is looked up when all have stopped.
   */
  public static Producers startPersistent(
      TestDatabase database, Ledger ledger, int connections, Duration pause) {
    return new Producers(database, ledger, connections, pause, true).begin(connections);
  }

  private Producers begin(int connections) {
    for (int number = 1; number <= connections; number++) {
      int id = number;
      running.add(
          threads.submit(
              () -> {
                produce(id);
                return id;
              }));
    }
    return this;
  }

  /** Lets every producer finish its transaction, and fails if one of them failed. */
  public void stop() throws SQLException, InterruptedException {
    stop.countDown();
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a producer failed: it must never notice a fault", e);
      }
    }
    close();
    endDoubts();
  }

  /** Rows that are kept tell; nothing clears them before the recorder has them. */
  private void endDoubts() throws SQLException {
    List<String> keys = ledger.doubtfulKeys();
    if (keys.isEmpty()) {
      return;
    }
    Set<String> there = new HashSet<>();
    try (Connection connection = database.connect();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT key FROM handoff." + Cluster.RECORDER + " WHERE key = ANY (?)")) {
      select.setArray(1, connection.createArrayOf("text", keys.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          there.add(row.getString(1));
        }
      }
    }
    ledger.endDoubts(there);
  }

  @Override
  public void close() {
    stop.countDown();
    threads.shutdownNow();
  }

  private void produce(int producer) throws SQLException, InterruptedException {
    Work work = new Work(producer);
    while (stop.getCount() > 0) {
      try (Connection connection = database.connect();
          PreparedStatement insert = connection.prepareStatement(INSERT)) {
        connection.setAutoCommit(false);
        while (stop.getCount() > 0) {
          work.transact(connection, insert);
          stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        }
      } catch (SQLException broken) {
        if (!persistent) {
          throw broken;
        }
        stop.await(RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** What one producer does, on its thread. */
  private final class Work {
    private final int producer;
    private final Random random;
    private int count;

    Work(int producer) {
      this.producer = producer;
      this.random = new Random(producer);
    }

    void transact(Connection connection, PreparedStatement insert)
        throws SQLException, InterruptedException {
      int turn = ++count + producer;
      long began = System.nanoTime();
      List<String> keys = insertRows(insert, turn % EVERY_SLOW == 0);
      if (turn % EVERY_ROLLED_BACK == 0) {
        connection.rollback();
        ledger.rolledBack(keys.size());
        return;
      }
      try {
        connection.commit();
      } catch (SQLException unanswered) {
        ledger.inDoubt(began, keys);
        throw unanswered;
      }
      ledger.committed(new Ledger.Transaction(began, System.nanoTime()), keys);
    }

    private List<String> insertRows(PreparedStatement insert, boolean slow)
        throws SQLException, InterruptedException {
      List<String> keys = new ArrayList<>();
      int rows = 1 + random.nextInt(MOST_ROWS);
      for (int row = 0; row < rows; row++) {
        if (slow) {
          Thread.sleep(SLOW_ROW.toMillis());
        }
        String key = "p" + producer + "-" + count + "-" + row;
        insert.setString(1, key);
        insert.setString(2, "{\"order\": \"" + key + "\",\n \"amount\": " + row + "}");
        insert.executeUpdate();
        keys.add(key);
      }
      return keys;
    }
  }
}
