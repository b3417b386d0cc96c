package dev.recorder.replay.postgres;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.LogSlot;
import dev.recorder.reader.ReaderPosition;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A log with changes that are written by hand, in the form that they have in logs, and a database
 * into which it is replayed. How windows and slots are cut is each test's.
 */
final class ReplaySite implements AutoCloseable {
  static final LogLayout LAYOUT = RebaseSite.LAYOUT;

  final RebaseSite source;
  final TestDatabase target;

  ReplaySite() throws Exception {
    source = RebaseSite.prepared();
    source.setUp();
    source.run("CREATE SEQUENCE public.effects", "CREATE SEQUENCE recorder.capture_orders_seq");
    target = TestDatabase.createOwned();
  }

  /** A transaction of an application's. */
  Transaction begin() throws SQLException {
    return new Transaction(source.database.connect());
  }

  /** Its statements, each with the change that it makes. */
  static final class Transaction implements AutoCloseable {
    private final Connection connection;

    Transaction(Connection connection) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
    }

    /** A statement that made one change. */
    Transaction change(String op, String table, String members) throws SQLException {
      return payload(
          "{\"by\":\"recorder_capture\",\"op\":\"%s\",\"table\":\"%s\",\"seq\":%s%s}"
              .formatted(op, table, "'||nextval('public.effects')||'", members));
    }

    Transaction payload(String text) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.setEscapeProcessing(false);
        statement.execute(
            "INSERT INTO handoff.orders (key, payload) VALUES ('k', ('" + text + "')::json)");
      }
      return this;
    }

    void commit() throws SQLException {
      connection.commit();
      connection.close();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** One transaction that makes one change. */
  void change(String op, String table, String members) throws SQLException {
    try (Transaction transaction = begin()) {
      transaction.change(op, table, members).commit();
    }
  }

  /** Public.account with an id and a text, as its {@code schema} row says it. */
  void account() throws SQLException {
    change(
        "schema",
        "public.account",
        ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},"
            + "{\"name\":\"name\",\"type\":\"text\"}],\"key\":[\"id\"]");
  }

  static String account(int id, String name) {
    return ",\"key\":{\"id\":%1$d},\"after\":{\"id\":%1$d,\"name\":\"%2$s\"}".formatted(id, name);
  }

  JdbcReplayTarget open() throws Exception {
    return open(StagedChanges.EFFECTS);
  }

  JdbcReplayTarget open(String order) throws Exception {
    return JdbcReplayTarget.open(targetSessions(), RebaseSite.ORDERS, log(), order);
  }

  Sessions targetSessions() {
    return TestSessions.patient(target, "replay");
  }

  UUID log() {
    return LogReader.of(source.store, LAYOUT).identity();
  }

  LogReader slots(ObjectStore bucket, ReplayPosition from) {
    return LogReader.of(bucket, LAYOUT).from(ReaderPosition.of(from.nextSlot())).open();
  }

  List<LogSlot> slots() {
    List<LogSlot> slots = new ArrayList<>();
    try (LogReader reader = slots(source.store, ReplayPosition.of(1))) {
      reader.forEachRemaining(slots::add);
    }
    return slots;
  }

  /** What is there, from where the target stands. */
  ReplayResult replay() throws Exception {
    return replay(StagedChanges.EFFECTS);
  }

  ReplayResult replay(String order) throws Exception {
    try (JdbcReplayTarget into = open(order)) {
      ReplayPosition from = into.position().orElse(ReplayPosition.of(1));
      try (LogReader slots = slots(source.store, from)) {
        return new Replay(into, from, (slot, rows) -> {}).run(slots);
      }
    }
  }

  /**
   * Replays while the transaction of another session is in the way, which is committed once it is
   * waited for.
   *
   * @param last what that session does before
   */
  ReplayResult replayBehind(Connection other, String... last) throws Exception {
    FutureTask<ReplayResult> replay = new FutureTask<>(this::replay);
    new Thread(replay, "replay").start();
    while (!replay.isDone() && target.number(WAITING) == 0) {
      Thread.sleep(20);
    }
    run(other, last);
    other.commit();
    try {
      return replay.get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
      """;

  /** A session of another role in the target, in a transaction that has done this. */
  Connection other(String role, String... statements) throws SQLException {
    Connection other = DriverManager.getConnection(target.jdbcUrl(), role, TestDatabase.PASSWORD);
    other.setAutoCommit(false);
    run(other, statements);
    return other;
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** The rows of a query in the target, each as one text. */
  List<String> there(String sql) throws SQLException {
    return target.query(sql, row -> row.getString(1));
  }

  List<String> accounts() throws SQLException {
    return there("SELECT id || '=' || name FROM public.account ORDER BY id");
  }

  @Override
  public void close() throws SQLException {
    source.close();
    target.close();
  }
}
