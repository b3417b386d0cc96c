package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.ReaderPosition;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.ReplayTarget;
import dev.recorder.replay.postgres.JdbcReplayTarget;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A database whose tables are captured, its log, and a database into which that is replayed. */
public final class SnapshotSite implements AutoCloseable {
  public static final int ALL = 50_000;

  public final RebaseSite source;
  public final TestDatabase target;

  public SnapshotSite() throws Exception {
    source = RebaseSite.prepared();
    source.setUp();
    target = TestDatabase.createOwned();
  }

  /** The captures, as an administrator sees them. */
  public Captures captures() {
    return Captures.open(
        new Sessions(TestSettings.as(PostgresServer.SUPERUSER, source.database), "admin"),
        TestDatabase.ROLE);
  }

  public void capture(String table, OldImage old, boolean again) throws Exception {
    capture(table, new CaptureOptions(ColumnChoice.ALL, null, null, old), again);
  }

  public void capture(String table, CaptureOptions options, boolean again) throws Exception {
    try (Captures captures = captures()) {
      captures.add(new WantedCapture(RebaseSite.ORDERS, table, options), again);
    }
  }

  public SnapshotState snapshot(String table) throws Exception {
    return snapshot(table, (rows, percent) -> {});
  }

  public SnapshotState snapshot(String table, SnapshotState.SnapshotProgress progress)
      throws Exception {
    try (Captures captures = captures()) {
      return captures.snapshot(RebaseSite.ORDERS, table, false, progress);
    }
  }

  public void remove(String table) throws Exception {
    try (Captures captures = captures()) {
      captures.remove(RebaseSite.ORDERS, table);
    }
  }

  /** What is found that loses changes. */
  public List<String> losses() {
    return CaptureSite.losses(captures());
  }

  /** A wide table with a key, so that it has several chunks. */
  public void account(int rows) throws SQLException {
    source.run(
        "CREATE TABLE public.account (id integer PRIMARY KEY, name text, note text)",
        "INSERT INTO public.account SELECT i, 'name ' || i, repeat('x', 300)"
            + " FROM generate_series(1, "
            + rows
            + ") i");
  }

  /** Without a trigger that is ours. */
  public void unseen(String... statements) throws SQLException {
    try (Connection connection = source.database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      statement.execute("SET session_replication_role = replica");
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** A transaction of the application's, to be ended by the test. */
  public Connection begin(String... statements) throws SQLException {
    Connection connection = source.database.connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
    return connection;
  }

  public ReplayResult replay() throws Exception {
    Sessions sessions = TestSessions.patient(target, "replay");
    try (ReplayTarget into =
        JdbcReplayTarget.open(
            sessions,
            RebaseSite.ORDERS,
            LogReader.of(source.store, RebaseSite.LAYOUT).identity())) {
      ReplayPosition from = into.position().orElse(ReplayPosition.of(1));
      try (LogReader slots =
          LogReader.of(source.store, RebaseSite.LAYOUT)
              .from(ReaderPosition.of(from.nextSlot()))
              .open()) {
        return new Replay(into, from, (slot, rows) -> {}).run(slots);
      }
    }
  }

  /** Records and replays what is there, and fails unless the table and its copy are the same. */
  public void provesEqual(String table) throws Exception {
    source.record(ALL);
    replay();
    String rows = "SELECT t::text FROM " + table + " t ORDER BY 1";
    assertThat(target.query(rows, row -> row.getString(1))).isEqualTo(source.ask(rows));
    assertThat(keptKeys()).isEmpty();
  }

  /** Nothing of a snapshot that has ended is left in the target. */
  private List<String> keptKeys() throws SQLException {
    return target.query(
        "SELECT tablename FROM pg_tables WHERE tablename LIKE 'seen%'", row -> row.getString(1));
  }

  /** How many changes of an operation the log is to have. */
  public long count(String op) throws SQLException {
    return source.database.number(
        "SELECT count(*) FROM handoff.orders WHERE payload->>'op' = '" + op + "'");
  }

  @Override
  public void close() throws SQLException {
    source.close();
    target.close();
  }
}
