package dev.recorder.app.soak;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks all the time at who holds which recorder and which of them get on. Its thread outlives
 * restarts of the database.
 */
public final class Watch implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int STATEMENT_SECONDS = 5;

  private final TestDatabase database;
  private final List<String> recorders;
  private final String sql;
  private final Journal journal;
  private final ConcurrentHashMap<String, State> states = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "watch");
  private volatile long loadedNanos = System.nanoTime();
  private volatile boolean closed;

  /**
   * A recorder's.
   *
   * @param progress a number that grows when something is done
   * @param waiting how much is to be done, as far as it is counted
   * @param movedNanos when nothing was to be done or something was done, last
   */
  private record State(@Nullable String holder, long progress, long waiting, long movedNanos) {}

  private Watch(TestDatabase database, List<String> recorders, String sql, Journal journal) {
    this.database = database;
    this.recorders = recorders;
    this.sql = sql;
    this.journal = journal;
  }

  /**
   * @param sql gives for each recorder its name, its holder, a number that grows with its progress,
   *     how much it has to do, and how many of its requests are seen in progress, which none may be
   */
  static Watch start(TestDatabase database, List<String> recorders, String sql, Journal journal) {
    Watch watch = new Watch(database, recorders, sql, journal);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** The machine that was last seen to hold a recorder. */
  Optional<String> holder(int recorder) {
    return Optional.ofNullable(states.get(recorders.get(recorder))).map(State::holder);
  }

  /** Of all recorders together. */
  long progress() {
    return states.values().stream().mapToLong(State::progress).sum();
  }

  public long waiting() {
    return states.values().stream().mapToLong(State::waiting).sum();
  }

  /** The recorder that has something to do and has done nothing for longest. */
  Stillness longestStill() {
    long now = System.nanoTime();
    return states.entrySet().stream()
        .map(each -> new Stillness(each.getKey(), Duration.ofNanos(now - since(each.getValue()))))
        .max(Comparator.comparing(Stillness::time))
        .orElse(Stillness.NONE);
  }

  /** From now on there is something to do; before, nothing had to move. */
  void beginLoad() {
    loadedNanos = System.nanoTime();
  }

  private long since(State state) {
    return state.movedNanos() - loadedNanos > 0 ? state.movedNanos() : loadedNanos;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }

  private void run() {
    while (!closed) {
      try {
        watch();
      } catch (InterruptedException ending) {
        closed = true;
      }
    }
  }

  private void watch() throws InterruptedException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(STATEMENT_SECONDS);
      while (!closed) {
        look(statement);
        Thread.sleep(POLL.toMillis());
      }
    } catch (SQLException away) {
      Thread.sleep(POLL.toMillis());
    }
  }

  private void look(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        String recorder = row.getString(1);
        State now = new State(row.getString(2), row.getLong(3), row.getLong(4), System.nanoTime());
        states.merge(recorder, now, Watch::next);
        if (row.getLong(5) > 0) {
          journal.blame("%s has a request that is in-progress", recorder);
        }
      }
    }
  }

  private static State next(State before, State now) {
    boolean still = now.waiting() > 0 && before.progress() == now.progress();
    return still
        ? new State(now.holder(), now.progress(), now.waiting(), before.movedNanos())
        : now;
  }
}
