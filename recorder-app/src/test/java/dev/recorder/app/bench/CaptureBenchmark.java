package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What capture costs: statements on a captured table beside the same on another, in turns; the
 * tables have a primary key and one index, old rows are told by their key, and no recorder runs.
 * The last, inserts of single rows, are of a table whose changes ask for documents, which are
 * looked up in another. The server makes commits durable. Before that a snapshot of one of them,
 * beside the rate at which a host records what it has handed over. Arguments: rounds (5), seconds
 * (5), clients that update single rows (32), rows of a table of which a snapshot is taken
 * (1,000,000; 0 for none).
 */
public final class CaptureBenchmark {
  private static final RecorderName RECORDER = new RecorderName("orders");
  private static final int ROWS = 1_000;
  private static final int STATEMENTS = 100;
  private static final String PLAIN = "public.plain";
  private static final String CAPTURED = "public.captured";
  private static final RecorderName DOCUMENTS = new RecorderName("documents");
  private static final String ASKING = "public.asking";
  private static final String ENTITY = "SELECT o.id FROM public.owner o WHERE o.name = asking.name";

  private final int rounds;
  private final int seconds;
  private final int clients;
  private final int snapshot;

  private CaptureBenchmark(String[] arguments) {
    this.rounds = argument(arguments, 0, 5);
    this.seconds = argument(arguments, 1, 5);
    this.clients = argument(arguments, 2, 32);
    this.snapshot = argument(arguments, 3, 1_000_000);
  }

  public static void main(String[] arguments) {
    TestProgram.run("benchmark", new CaptureBenchmark(arguments)::run);
  }

  private static int argument(String[] arguments, int place, int usual) {
    return arguments.length > place ? Integer.parseInt(arguments[place]) : usual;
  }

  /** What is measured on a table; rows per second. */
  private interface Work {
    double on(String table) throws Exception;
  }

  /** What one of many clients does until then; how many rows it has changed. */
  private interface Client {
    long run(TestDatabase database, String table, long until) throws SQLException;
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "0ms")) {
      TestDatabase database = cluster.database();
      setUp(database);
      Map<String, Work> works = new LinkedHashMap<>();
      works.put("insert", table -> statements(database, table, INSERT));
      works.put("update", table -> statements(database, table, UPDATE));
      works.put("single", table -> updates(database, table));
      works.put("asking", table -> clients(database, table, CaptureBenchmark::insert));
      Map<String, Object> line = Machinery.line();
      if (snapshot > 0) {
        snapshot(line, cluster);
      }
      for (Map.Entry<String, Work> work : works.entrySet()) {
        measure(line, work.getKey(), work.getValue(), database);
      }
      return Machinery.print(line);
    }
  }

  private static void setUp(TestDatabase database) throws Exception {
    database.execute(
        new Schema(SchemaNames.DEFAULT)
            .script(
                TestDatabase.ROLE,
                List.of(
                    new HandoffTable(RECORDER, RecorderKind.LOG, 16 << 20),
                    new HandoffTable(DOCUMENTS, RecorderKind.REQUESTS, 16 << 20))));
    for (String table : List.of(PLAIN, CAPTURED, ASKING)) {
      database.execute(
          "CREATE TABLE "
              + table
              + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL,"
              + " amount numeric(12,2) NOT NULL, at timestamptz NOT NULL DEFAULT now(), note text)",
          "CREATE INDEX ON " + table + " (name)");
    }
    database.execute(
        "CREATE TABLE public.owner (id bigint PRIMARY KEY, name text NOT NULL)",
        "INSERT INTO public.owner SELECT i, 'name ' || i FROM generate_series(1, %d) i"
            .formatted(ROWS * STATEMENTS),
        "CREATE INDEX ON public.owner (name)",
        "VACUUM ANALYZE public.owner");
    try (Captures captures = captures(database)) {
      captures.add(new Captures.WantedCapture(RECORDER, CAPTURED, CaptureOptions.USUAL), false);
      captures.add(
          new Captures.WantedCapture(DOCUMENTS, ASKING, CaptureOptions.ofDocuments(ENTITY, null)),
          false);
    }
  }

  private static Captures captures(TestDatabase database) {
    Sessions sessions =
        new Sessions(TestSettings.as(PostgresServer.SUPERUSER, database), "benchmark");
    return Captures.open(sessions, TestDatabase.ROLE);
  }

  /** Of rows of some 200 bytes in the log. */
  private void snapshot(Map<String, Object> line, Cluster cluster) throws Exception {
    TestDatabase database = cluster.database();
    database.execute(
        "ALTER TABLE " + CAPTURED + " DISABLE TRIGGER USER",
        FILL.formatted(CAPTURED, snapshot),
        "ALTER TABLE " + CAPTURED + " ENABLE TRIGGER USER");
    database.execute("VACUUM ANALYZE " + CAPTURED);
    database.execute("CHECKPOINT");
    Host host = cluster.host("host-a", true);
    try (Captures captures = captures(database)) {
      new SnapshotRun(cluster, RECORDER, CAPTURED, snapshot).measure(line, captures, host);
    }
  }

  private void measure(Map<String, Object> line, String name, Work work, TestDatabase database)
      throws Exception {
    String table = name.equals("asking") ? ASKING : CAPTURED;
    List<Double> ratios = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int round = -1; round < rounds; round++) {
      boolean plainFirst = round % 2 == 0;
      empty(database);
      double first = work.on(plainFirst ? PLAIN : table);
      empty(database);
      double second = work.on(plainFirst ? table : PLAIN);
      double captured = plainFirst ? second : first;
      double plain = plainFirst ? first : second;
      if (round >= 0) {
        rates.add(captured);
        ratios.add(captured / plain);
      }
      System.out.println(
          String.format(Locale.ROOT, "%s: %.0f rows/s captured, %.0f not", name, captured, plain));
    }
    line.put(name + "_rows_per_second", Math.round(Machinery.median(rates)));
    line.put(name + "_ratio", Machinery.hundredths(Machinery.median(ratios)));
    line.put(name + "_times_slower", Machinery.hundredths(1 / Machinery.median(ratios)));
  }

  private static void empty(TestDatabase database) throws SQLException {
    database.execute(
        "ALTER TABLE " + ASKING + " DISABLE TRIGGER USER",
        "TRUNCATE " + ASKING + " RESTART IDENTITY",
        "ALTER TABLE " + ASKING + " ENABLE TRIGGER USER");
    database.execute("TRUNCATE " + PLAIN + ", " + CAPTURED + " RESTART IDENTITY");
    database.execute("TRUNCATE handoff." + RECORDER, "TRUNCATE handoff." + DOCUMENTS, "CHECKPOINT");
  }

  private static final String FILL =
      "INSERT INTO %s (name, amount, note) SELECT 'name ' || i, i * 1.25,"
          + " 'some note of about thirty characters' FROM generate_series(1, %d) AS i";

  private static final String INSERT = FILL.replace("%d", Integer.toString(ROWS));

  private static final String UPDATE = "UPDATE %s SET amount = amount + 1 WHERE id BETWEEN ? AND ?";

  /** Statements of a thousand rows, a transaction each. */
  private static double statements(TestDatabase database, String table, String sql)
      throws SQLException {
    if (sql.equals(UPDATE)) {
      database.execute(FILL.formatted(table, ROWS * STATEMENTS), "VACUUM ANALYZE " + table);
    }
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement statement = connection.prepareStatement(sql.formatted(table))) {
      long began = System.nanoTime();
      for (int i = 0; i < STATEMENTS; i++) {
        if (sql.equals(UPDATE)) {
          statement.setLong(1, (long) i * ROWS + 1);
          statement.setLong(2, (long) (i + 1) * ROWS);
        }
        statement.executeUpdate();
      }
      return ROWS * STATEMENTS * 1e9 / (System.nanoTime() - began);
    }
  }

  /** Updates of single rows. */
  private double updates(TestDatabase database, String table) throws Exception {
    database.execute(FILL.formatted(table, ROWS * STATEMENTS), "VACUUM ANALYZE " + table);
    return clients(database, table, CaptureBenchmark::update);
  }

  /** Changes of single rows, a transaction each, by many at once. */
  private double clients(TestDatabase database, String table, Client client) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      long until = System.nanoTime() + seconds * 1_000_000_000L;
      List<Future<Long>> done = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        done.add(pool.submit(() -> client.run(database, table, until)));
      }
      long rows = 0;
      for (Future<Long> each : done) {
        rows += each.get();
      }
      return (double) rows / seconds;
    } finally {
      pool.shutdownNow();
    }
  }

  private static long insert(TestDatabase database, String table, long until) throws SQLException {
    String sql = "INSERT INTO %s (name, amount, note) VALUES ('name ' || ?, 1.25, 'a note')";
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement statement = connection.prepareStatement(sql.formatted(table))) {
      long rows = 0;
      while (System.nanoTime() < until) {
        statement.setLong(1, ThreadLocalRandom.current().nextLong(ROWS * STATEMENTS) + 1);
        rows += statement.executeUpdate();
      }
      return rows;
    }
  }

  private static long update(TestDatabase database, String table, long until) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement settings = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(UPDATE.formatted(table))) {
      settings.execute("SET jit = off");
      long rows = 0;
      while (System.nanoTime() < until) {
        long id = ThreadLocalRandom.current().nextLong(ROWS * STATEMENTS) + 1;
        statement.setLong(1, id);
        statement.setLong(2, id);
        rows += statement.executeUpdate();
      }
      return rows;
    }
  }
}
