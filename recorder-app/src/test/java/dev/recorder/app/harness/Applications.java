package dev.recorder.app.harness;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Applications at work, each on a thread and a connection of its own straight to the database, one
 * transaction after the other, until they are stopped.
 */
public final class Applications implements AutoCloseable {
  private static final Duration RECONNECT = Duration.ofMillis(100);
  private static final Duration STOP_WITHIN = Duration.ofMinutes(1);

  private final TestDatabase database;
  private final Duration pause;
  private final boolean comeBack;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "application");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Future<?>> running = new ArrayList<>();

  /** What one of them does, on its thread. */
  @FunctionalInterface
  public interface Work {
    /**
     * One transaction.
     *
     * @throws SQLException when the connection is of no more use
     */
    void transact(Connection connection) throws SQLException, InterruptedException;
  }

  private Applications(TestDatabase database, Duration pause, boolean comeBack) {
    this.database = database;
    this.pause = pause;
    this.comeBack = comeBack;
  }

  /**
   * Starts them; the tables must be there. One that meets an error fails.
   *
   * @param pause between two transactions, on average
   */
  public static Applications start(
      TestDatabase database, List<? extends Work> works, Duration pause) {
    return new Applications(database, pause, false).begin(works);
  }

  /** The same for a database that may go: they come back with it, as applications do. */
  public static Applications startPersistent(
      TestDatabase database, List<? extends Work> works, Duration pause) {
    return new Applications(database, pause, true).begin(works);
  }

  private Applications begin(List<? extends Work> works) {
    for (Work work : works) {
      running.add(
          threads.submit(
              () -> {
                run(work);
                return work;
              }));
    }
    return this;
  }

  /** Lets each finish its transaction, and fails if one of them failed. */
  public void stop() throws InterruptedException {
    stop.countDown();
    try {
      for (Future<?> each : running) {
        each.get(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("an application failed: it must never notice a fault", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("an application does not end", e);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    stop.countDown();
    threads.shutdownNow();
  }

  private void run(Work work) throws SQLException, InterruptedException {
    while (stop.getCount() > 0) {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(false);
        while (stop.getCount() > 0) {
          work.transact(connection);
          stop.await(
              ThreadLocalRandom.current().nextLong(2 * pause.toMillis()), TimeUnit.MILLISECONDS);
        }
      } catch (SQLException broken) {
        if (!comeBack) {
          throw broken;
        }
        stop.await(RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }
}
