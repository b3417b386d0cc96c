package dev.recorder.app.soak;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Applications that insert, each on its own thread and connection straight to the database, and
 * keep their books. When the database goes they come back with it, as applications do.
 */
final class Applications implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(70);
  private static final Duration RECONNECT = Duration.ofMillis(200);

  private final TestDatabase database;
  private final List<String> recorders;
  private final Journal journal;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final LongAdder rows = new LongAdder();
  private final List<Book> books = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Applications(TestDatabase database, List<String> recorders, Journal journal) {
    this.database = database;
    this.recorders = recorders;
    this.journal = journal;
  }

  static Applications start(
      TestDatabase database, List<String> recorders, int count, long seed, Journal journal) {
    Applications applications = new Applications(database, recorders, journal);
    for (int i = 0; i < count; i++) {
      int number = i;
      Book book = new Book();
      applications.books.add(book);
      Random random = new Random(seed * 31 + number);
      Thread thread =
          new Thread(() -> applications.run(number, book, random), "application-" + number);
      thread.setDaemon(true);
      applications.threads.add(thread);
      thread.start();
    }
    return applications;
  }

  /** Number of rows whose commits were confirmed. */
  long rows() {
    return rows.sum();
  }

  /** Lets each finish its transaction; then the books are final but for what they do not know. */
  List<Book> stop(Duration deadline) throws InterruptedException {
    stop.countDown();
    for (Thread thread : threads) {
      thread.join(deadline.toMillis());
      if (thread.isAlive()) {
        throw new IllegalStateException(thread.getName() + " does not end");
      }
    }
    return List.copyOf(books);
  }

  @Override
  public void close() {
    stop.countDown();
    threads.forEach(Thread::interrupt);
  }

  private void run(int number, Book book, Random random) {
    try {
      while (stop.getCount() > 0) {
        try (Connection connection = database.connect()) {
          connection.setAutoCommit(false);
          Application application = new Application(connection, recorders, number, book, random);
          while (stop.getCount() > 0) {
            rows.add(application.transact());
            stop.await(random.nextInt(2 * (int) PAUSE.toMillis()), TimeUnit.MILLISECONDS);
          }
        } catch (SQLException databaseIsAway) {
          stop.await(RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      journal.blame("application %d failed: %s", number, broken);
    }
  }
}
