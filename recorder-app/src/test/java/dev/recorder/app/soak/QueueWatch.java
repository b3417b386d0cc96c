package dev.recorder.app.soak;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Looks all the time whether requests wait, whether any are settled, and whether any is seen in
 * progress. Its thread outlives restarts of the database.
 */
final class QueueWatch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int STATEMENT_SECONDS = 5;
  private static final int COUNT_UP_TO = 1_000;

  private final TestDatabase database;
  private final String sql;
  private final Journal journal;
  private final ConcurrentHashMap<String, Queue> queues = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "watch");
  private volatile boolean closed;

  /**
   * A recorder's requests.
   *
   * @param waiting no more than 1,000
   * @param changes a number that grows when any of them is settled
   * @param movedNanos when none waited or one was settled, last
   */
  private record Queue(long waiting, long changes, long movedNanos) {}

  private QueueWatch(TestDatabase database, List<String> recorders, Journal journal) {
    this.database = database;
    this.journal = journal;
    this.sql =
        recorders.stream()
            .map(
                each ->
                    """
                    SELECT '%1$s',
                      (SELECT count(*) FROM (SELECT FROM handoff.%1$s
                        WHERE request_status = 'new' LIMIT %2$d) s),
                      (SELECT coalesce(max(n), 0) FROM proof.changes WHERE recorder = '%1$s'),
                      (SELECT count(*) FROM handoff.%1$s WHERE request_status = 'in-progress')\
                    """
                        .formatted(each, COUNT_UP_TO))
            .collect(Collectors.joining(" UNION ALL "));
  }

  static QueueWatch start(TestDatabase database, List<String> recorders, Journal journal) {
    QueueWatch watch = new QueueWatch(database, recorders, journal);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** The recorder with waiting requests of which none was settled for longest. */
  Stillness longestStill() {
    long now = System.nanoTime();
    return queues.entrySet().stream()
        .map(
            each ->
                new Stillness(each.getKey(), Duration.ofNanos(now - each.getValue().movedNanos())))
        .max((a, b) -> a.time().compareTo(b.time()))
        .orElse(Stillness.NONE);
  }

  /** Requests that wait, as far as they are counted. */
  long waiting() {
    return queues.values().stream().mapToLong(Queue::waiting).sum();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }

  private void run() {
    while (!closed) {
      try (Connection connection = database.connectAsSuperuser();
          Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(STATEMENT_SECONDS);
        while (!closed) {
          look(statement);
          Thread.sleep(POLL.toMillis());
        }
      } catch (SQLException away) {
        pause();
      } catch (InterruptedException ending) {
        closed = true;
      }
    }
  }

  private void look(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        long waiting = row.getLong(2);
        long changes = row.getLong(3);
        queues.compute(
            row.getString(1),
            (name, before) ->
                new Queue(
                    waiting,
                    changes,
                    before != null && waiting > 0 && before.changes() == changes
                        ? before.movedNanos()
                        : System.nanoTime()));
        if (row.getLong(4) > 0) {
          journal.blame("%s has a request that is in-progress", row.getString(1));
        }
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException ending) {
      closed = true;
    }
  }
}
