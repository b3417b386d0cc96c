package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Applications whose database may vanish: they insert in short transactions, some of them in
 * subtransactions, and end with their connection. Which commits count, the database that is left
 * says.
 */
public final class Inserts implements AutoCloseable {
  private static final long PAUSE_MILLIS = 20;
  private static final int EVERY_SUBTRANSACTION = 3;
  private static final String INSERT =
      "INSERT INTO handoff."
          + Cluster.RECORDER
          + " (key, payload) VALUES (?, json_build_object('order', ?::text))";

  private final TestDatabase database;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  private Inserts(TestDatabase database) {
    this.database = database;
  }

  /** Starts {@code connections} of them; keys begin with {@code name}. */
  public static Inserts start(TestDatabase database, String name, int connections) {
    Inserts inserts = new Inserts(database);
    for (int number = 1; number <= connections; number++) {
      String prefix = name + number;
      Thread thread = new Thread(() -> inserts.insert(prefix), "inserts-" + prefix);
      thread.setDaemon(true);
      inserts.threads.add(thread);
      thread.start();
    }
    return inserts;
  }

  private void insert(String prefix) {
    try (Connection connection = database.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      for (int count = 1; stop.getCount() > 0; count++) {
        for (int row = 1; row <= 1 + count % 3; row++) {
          if (count % EVERY_SUBTRANSACTION == 0) {
            connection.setSavepoint();
          }
          String key = prefix + "-" + count + "-" + row;
          insert.setString(1, key);
          insert.setString(2, key);
          insert.executeUpdate();
        }
        connection.commit();
        stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (SQLException gone) {
      // So is what was not committed there.
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets each finish its transaction, if it still has a database. */
  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(60));
    }
  }
}
