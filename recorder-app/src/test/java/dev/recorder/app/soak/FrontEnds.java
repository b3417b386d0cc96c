package dev.recorder.app.soak;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Front ends, each on its own thread and connection straight to the database. When the database
 * goes they come back with it.
 */
final class FrontEnds implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(60);
  private static final Duration RECONNECT = Duration.ofMillis(200);

  private final TestDatabase database;
  private final Journal journal;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final LongAdder requests = new LongAdder();
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();

  private FrontEnds(TestDatabase database, Journal journal) {
    this.database = database;
    this.journal = journal;
  }

  static FrontEnds start(
      TestDatabase database, List<FrontEnd.Kind> kinds, long seed, Journal journal) {
    FrontEnds all = new FrontEnds(database, journal);
    for (int i = 0; i < kinds.size(); i++) {
      Random random = new Random(seed * 31 + i);
      FrontEnd frontEnd = new FrontEnd(kinds.get(i), i, random, all.confirmed);
      Thread thread = new Thread(() -> all.run(frontEnd, random), "front-end-" + i);
      thread.setDaemon(true);
      all.threads.add(thread);
      thread.start();
    }
    return all;
  }

  /** Number of requests whose commits were confirmed. */
  long requests() {
    return requests.sum();
  }

  /** Lets each finish its transaction; gives the names of all requests that were confirmed. */
  Set<String> stop(Duration deadline) throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join(deadline.toMillis());
      if (thread.isAlive()) {
        throw new IllegalStateException(thread.getName() + " does not end");
      }
    }
    return confirmed;
  }

  @Override
  public void close() {
    stop.countDown();
    threads.forEach(Thread::interrupt);
  }

  private void run(FrontEnd frontEnd, Random random) {
    try {
      while (stop.getCount() > 0) {
        try (Connection connection = database.connect()) {
          connection.setAutoCommit(false);
          while (stop.getCount() > 0) {
            requests.add(frontEnd.transact(connection));
            stop.await(random.nextInt(2 * (int) PAUSE.toMillis()), TimeUnit.MILLISECONDS);
          }
        } catch (SQLException databaseIsAway) {
          stop.await(RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      journal.blame("%s failed: %s", Thread.currentThread().getName(), broken);
    }
  }
}
