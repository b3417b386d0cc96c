package dev.recorder.producer.postgres;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.Machine;
import dev.recorder.machine.RunningMachine;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The log {@code orders} as an administrator sets it up, machines that record it as fast as they
 * can, and an application with the rights of producers and no others.
 */
final class ProducedLog implements AutoCloseable {
  static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);
  static final String PRODUCER = "log_producer";

  /** Sessions that want to be told of slots. */
  static final String WAITERS =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

  /** Sessions of {@link RecordedWaits}. */
  static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'recorder/waits/listen'"
          + " AND datname = current_database()";

  final MemoryStore bucket = new MemoryStore();
  final TestDatabase database;
  private final List<RunningMachine> running = new ArrayList<>();

  ProducedLog() throws SQLException {
    this(TestDatabase.prepared(ProducedLog.class, () -> made(PostgresServer.shared())));
  }

  ProducedLog(PostgresServer server) throws SQLException {
    this(made(server));
  }

  private ProducedLog(TestDatabase database) throws SQLException {
    this.database = database;
    database.server().createRole(PRODUCER, TestDatabase.PASSWORD);
    database.execute("GRANT " + Schema.PRODUCERS + " TO " + PRODUCER);
  }

  private static TestDatabase made(PostgresServer server) throws SQLException {
    TestDatabase made = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
    made.execute(script());
    return made;
  }

  /** What the administrator runs. */
  static String script() {
    HandoffTable orders = new HandoffTable(new RecorderName("orders"), RecorderKind.LOG, 16 << 20);
    return new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of(orders));
  }

  /** A connection of the application. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), PRODUCER, TestDatabase.PASSWORD);
  }

  /** Sessions of the application. */
  Sessions sessions() {
    return TestSessions.of(database, "waits", PRODUCER);
  }

  void start() throws Exception {
    start("host-a", bucket);
    awaitHolder("host-a");
  }

  /** One whose slots have three rows. */
  RunningMachine start(String name, DocumentStore store) {
    MachineSettings settings =
        MachineSettings.of(name, TestSettings.patient(database))
            .timing(TestSettings.PATIENT)
            .log(
                RecorderSettings.of(1, LAYOUT)
                    .primary(name.equals("host-a"))
                    .rotation(new Rotation(3, 1 << 20))
                    .linger(Duration.ZERO)
                    .build())
            .build();
    RunningMachine machine = new RunningMachine(new Machine(settings, recorder -> store));
    running.add(machine);
    return machine;
  }

  void awaitHolder(String machine) {
    await()
        .ignoreExceptions()
        .until(() -> machine.equals(database.one("SELECT holder FROM recorder.lock_recorders")));
  }

  /** A committed transaction of {@code rows} rows; its number. */
  long commit(int rows) throws SQLException {
    try (Connection connection = connect()) {
      return commit(connection, rows);
    }
  }

  static long commit(Connection connection, int rows) throws SQLException {
    LogClient client = new LogClient("handoff", "orders");
    connection.setAutoCommit(false);
    long xid = 0;
    for (int i = 0; i < rows; i++) {
      xid = client.append(connection, "k", "{}");
    }
    connection.commit();
    return xid;
  }

  /** The lines of all objects. */
  List<String> lines() throws Exception {
    List<String> lines = new ArrayList<>();
    SlotReader reader = new SlotReader(bucket, LAYOUT);
    for (long slot = 1; ; slot++) {
      Optional<SlotReader.Slot> read = reader.read(slot);
      if (read.isEmpty()) {
        return lines;
      }
      read.get().lines().forEach(l -> lines.add(new String(l.bytes(), StandardCharsets.UTF_8)));
    }
  }

  /** How many rows of a transaction are in objects. */
  long recorded(long xid) throws Exception {
    return lines().stream().filter(line -> line.contains("\"xid\":" + xid + ",")).count();
  }

  /** What {@code wait_recorded} says, {@code t} or {@code f}. */
  static String ask(Connection connection, String arguments) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT recorder.wait_recorded(" + arguments + ")")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Waits on a thread of its own, for longer than any test does. */
  static CompletableFuture<Boolean> waitAside(RecordedWaits waits, long xid) {
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                waited.complete(waits.await("orders", xid, Duration.ofHours(1)));
              } catch (InterruptedException | RuntimeException e) {
                waited.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return waited;
  }

  @Override
  public void close() throws Exception {
    for (RunningMachine machine : running) {
      machine.stop();
    }
    database.close();
  }
}
