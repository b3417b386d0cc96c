package dev.recorder.app.bench;

import dev.recorder.app.handlers.NoopHandlers;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.HandlerJar;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A durable database and hosts that process requests with the handler {@code noop}, each recorder
 * with a table {@code handoff.q1}, {@code handoff.q2} and so on.
 *
 * <p>{@link #OTHER} is a table of the same form, for whatever the product is compared with.
 */
public final class QueueSite implements AutoCloseable {
  static final String TABLE = "handoff.q1";
  static final String OTHER = "other_side";
  public static final int LOCK_ID = 1;

  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final PostgresServer postgres;
  private final S3Server s3;
  private final Cluster cluster;
  private final Connection database;

  private QueueSite(int recorders, int workers) throws IOException, SQLException {
    // They would fall into the one measurement or the other.
    postgres =
        Machinery.start(
            PostgresServer.builder()
                .durable()
                .set("max_wal_size", "8GB")
                .set("checkpoint_timeout", "1h")
                .set("autovacuum", "off")
                .set("shared_preload_libraries", "pg_stat_statements"));
    s3 = S3Server.start();
    StringBuilder sections = new StringBuilder();
    for (int number = 1; number <= recorders; number++) {
      sections.append(
          """
          [recorder:q%1$d]
          lockid = %1$d
          kind = requests
          handler = noop
          workers = %2$d

          """
              .formatted(number, workers));
    }
    cluster = Cluster.on(postgres, s3, Wiring.DIRECT, Recording.ofRequests(sections.toString()));
    database = cluster.database().connectAsSuperuser();
  }

  /** A site without hosts that run. */
  static QueueSite open(int recorders, int workers) throws IOException, SQLException {
    return new QueueSite(recorders, workers);
  }

  /** Starts a host; the first makes the tables. */
  Host start(String name) throws InterruptedException {
    Path jar = HandlerJar.write(cluster.file(name + ".jar"), NoopHandlers.class);
    Host host = cluster.host(name, false, Particulars.NONE.withHandlers(jar)).start();
    host.awaitLog("processing requests", DEADLINE);
    return host;
  }

  Cluster cluster() {
    return cluster;
  }

  Connection connect() throws SQLException {
    return cluster.database().connectAsSuperuser();
  }

  void execute(String... statements) throws SQLException {
    cluster.database().execute(statements);
  }

  double number(String sql) throws SQLException {
    return TestDatabase.query(database, sql, row -> row.getDouble(1)).get(0);
  }

  /** Once the product's table is there. */
  void makeOther() throws SQLException {
    execute("CREATE TABLE " + OTHER + " (LIKE " + TABLE + " INCLUDING ALL)");
  }

  /** Replaces a table's rows, in one transaction: whoever works on it finds all at once. */
  void fill(String table, String rows) throws SQLException {
    execute("TRUNCATE " + table, "CHECKPOINT");
    database.setAutoCommit(false);
    try (Statement statement = database.createStatement()) {
      statement.execute("INSERT INTO " + table + " (request_type, entity_id, payload) " + rows);
      statement.execute("NOTIFY handoff_q1");
    }
    database.commit();
    database.setAutoCommit(true);
  }

  /** How long the product has taken for all rows, in seconds of the database's clock. */
  double awaitSettled() throws SQLException, InterruptedException {
    long start = System.nanoTime();
    // From the end, where rows are new longest: a count would take a third of the server.
    String last =
        "SELECT coalesce((SELECT id FROM "
            + TABLE
            + " WHERE request_status = 'new' ORDER BY id DESC LIMIT 1), 0)";
    while (number(last) > 0) {
      if (System.nanoTime() - start > DEADLINE.toNanos()) {
        throw new AssertionError("not settled within " + DEADLINE.toSeconds() + " s");
      }
      Thread.sleep(200);
    }
    return number("SELECT extract(epoch FROM max(settled_at) - min(begun_at)) FROM " + TABLE);
  }

  @Override
  public void close() throws IOException, SQLException {
    database.close();
    cluster.close();
    s3.close();
    postgres.close();
  }
}
