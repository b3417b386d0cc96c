package dev.recorder.app.harness;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches a recorder through the tables that operators have, straight from the database; connects
 * again when the database was down. For one thread.
 */
public final class Observer implements AutoCloseable {
  private static final Duration PRECISE = Duration.ofMillis(3);

  /** Of many that watch at the same time, each takes a part of the processor. */
  private static final Duration COARSE = Duration.ofMillis(60);

  private static final String STATE =
      "SELECT holder, epoch, last_slot, coalesce((SELECT t.last_slot FROM recorder.takeovers t"
          + " WHERE t.lock_id = l.lock_id ORDER BY id DESC LIMIT 1), 0)"
          + " FROM recorder.lock_recorders l WHERE lock_id = "
          + Cluster.LOCK_ID;

  /** Sessions tell who is really there: a killed machine leaves its row behind. */
  private static final String READY =
      "SELECT name FROM recorder.info_recorders JOIN pg_stat_activity USING (pid, backend_start)"
          + " WHERE "
          + Cluster.LOCK_ID
          + " = ANY(able)";

  private final TestDatabase database;
  private final Duration poll;
  private Connection connection;
  private boolean there;

  /** One that sees to {@link #PRECISE} what happened when, for figures. */
  public Observer(TestDatabase database) throws SQLException {
    this(database, PRECISE);
  }

  private Observer(TestDatabase database, Duration poll) throws SQLException {
    this.database = database;
    this.poll = poll;
    connection = database.connectAsSuperuser();
  }

  /** One of many that see what happens, and to {@link #COARSE} when. */
  public static Observer ofStory(TestDatabase database) throws SQLException {
    return new Observer(database, COARSE);
  }

  /** The recorder's row now; before it is there a state of nobody. */
  public LogState state() throws SQLException {
    if (!isThere()) {
      return new LogState(System.nanoTime(), null, 0, 0, 0);
    }
    try (PreparedStatement statement = connection().prepareStatement(STATE);
        ResultSet row = statement.executeQuery()) {
      boolean found = row.next();
      long now = System.nanoTime();
      return found
          ? new LogState(now, row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4))
          : new LogState(now, null, 0, 0, 0);
    }
  }

  /** The first state that fits, seen at most some milliseconds after it came about. */
  public LogState await(String what, Duration deadline, Predicate<LogState> fits)
      throws SQLException, InterruptedException {
    long start = System.nanoTime();
    @Nullable LogState state = null;
    while (true) {
      try {
        state = state();
        if (fits.test(state)) {
          return state;
        }
      } catch (SQLException e) {
        throwUnlessDown(e);
      }
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new AssertionError(
            "not within " + deadline.toMillis() + " ms: " + what + "; the last state was " + state);
      }
      Thread.sleep(poll.toMillis());
    }
  }

  /** Waits until {@code host} is active and has settled a slot of its term. */
  public LogState awaitWorking(Host host, Duration deadline)
      throws SQLException, InterruptedException {
    return await(host.name() + " at work", deadline, state -> state.isWorking(host.name()));
  }

  /**
   * Waits until a recorder, also another than the stories' own, is {@code machine}'s, or nobody's.
   */
  public void awaitHolder(String recorder, String machine, Duration deadline)
      throws SQLException, InterruptedException {
    String sql =
        "SELECT coalesce(holder, 'nobody') FROM recorder.lock_recorders WHERE recorder = '"
            + recorder
            + "'";
    long start = System.nanoTime();
    while (!strings(sql).equals(List.of(machine))) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new AssertionError(recorder + " is not " + machine + "'s but " + strings(sql));
      }
      Thread.sleep(COARSE.toMillis());
    }
  }

  /** Waits until {@code host} is connected and able to take the recorder. */
  public void awaitReady(Host host, Duration deadline) throws SQLException, InterruptedException {
    long start = System.nanoTime();
    while (!isReady(host)) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        throw new AssertionError(host.name() + " was not ready in " + deadline.toMillis() + " ms");
      }
      Thread.sleep(COARSE.toMillis());
    }
  }

  private boolean isReady(Host host) throws SQLException {
    try {
      return isThere() && strings(READY).contains(host.name());
    } catch (SQLException e) {
      throwUnlessDown(e);
      return false;
    }
  }

  /** Every receipt, in order. */
  public List<Takeover> takeovers() throws SQLException {
    return TestDatabase.query(
        connection(),
        """
        SELECT reason, from_machine, to_machine, to_epoch, silence_ms, gap_ms
        FROM recorder.takeovers ORDER BY id""",
        row ->
            new Takeover(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6)));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private Connection connection() throws SQLException {
    if (connection.isClosed()) {
      connection = database.connectAsSuperuser();
    }
    return connection;
  }

  /** Who waits for something waits for the database too. */
  private static void throwUnlessDown(SQLException e) throws SQLException {
    String state = String.valueOf(e.getSQLState());
    if (!state.startsWith("08") && !state.startsWith("57P")) {
      throw e;
    }
  }

  /** The recorders create their tables when they start, that of the receipts last. */
  private boolean isThere() throws SQLException {
    if (!there) {
      there = strings("SELECT to_regclass('recorder.takeovers')::text").get(0) != null;
    }
    return there;
  }

  private List<String> strings(String sql) throws SQLException {
    return TestDatabase.query(connection(), sql, row -> row.getString(1));
  }
}
