package dev.recorder.app.soak;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks all the time at who holds which recorder and which logs move. Its thread outlives restarts
 * of the database.
 */
final class Watch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int STATEMENT_SECONDS = 5;
  private static final String STATE =
      "SELECT recorder, holder, last_slot FROM recorder.lock_recorders";

  /** Machines whose sessions live, and for how many recorders they are able. */
  private static final String READY =
      "SELECT count(*) FROM recorder.info_recorders JOIN pg_stat_activity"
          + " USING (pid, backend_start) WHERE cardinality(able) = ?";

  private final TestDatabase database;
  private final List<String> recorders;
  private final ConcurrentHashMap<String, Log> logs = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "watch");
  private volatile long loadedNanos = System.nanoTime();
  private volatile boolean closed;

  private record Log(@Nullable String holder, long lastSlot, long movedNanos) {}

  private Watch(TestDatabase database, List<String> recorders) {
    this.database = database;
    this.recorders = recorders;
  }

  static Watch start(TestDatabase database, List<String> recorders) {
    Watch watch = new Watch(database, recorders);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** The machine that was last seen to hold a recorder. */
  Optional<String> holder(int recorder) {
    return Optional.ofNullable(logs.get(recorders.get(recorder))).map(Log::holder);
  }

  long slots() {
    return logs.values().stream().mapToLong(Log::lastSlot).sum();
  }

  /** The recorder whose log has not moved for longest, and for how long it has not. */
  Stillness longestStill() {
    long now = System.nanoTime();
    return recorders.stream()
        .filter(logs::containsKey)
        .map(each -> new Stillness(each, Duration.ofNanos(now - since(each))))
        .max((a, b) -> a.time().compareTo(b.time()))
        .orElse(Stillness.NONE);
  }

  /** From now on rows come in; before, no log had to move. */
  void beginLoad() {
    loadedNanos = System.nanoTime();
  }

  private long since(String recorder) {
    long moved = logs.get(recorder).movedNanos();
    return moved - loadedNanos > 0 ? moved : loadedNanos;
  }

  /**
   * Waits until each recorder has a holder, and {@code hosts} machines are able to take them all.
   */
  void awaitReady(int hosts, Duration deadline) throws InterruptedException {
    long start = System.nanoTime();
    while (!isReady(hosts)) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new IllegalStateException(
            "the hosts were not ready within " + deadline.toSeconds() + " s");
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private boolean isReady(int hosts) {
    for (int i = 0; i < recorders.size(); i++) {
      if (holder(i).isEmpty()) {
        return false;
      }
    }
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement statement = connection.prepareStatement(READY)) {
      statement.setInt(1, recorders.size());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1) >= hosts;
      }
    } catch (SQLException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
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
    try (ResultSet row = statement.executeQuery(STATE)) {
      while (row.next()) {
        String holder = row.getString(2);
        long slot = row.getLong(3);
        logs.compute(
            row.getString(1),
            (name, before) ->
                new Log(
                    holder,
                    slot,
                    before != null && before.lastSlot() == slot
                        ? before.movedNanos()
                        : System.nanoTime()));
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
