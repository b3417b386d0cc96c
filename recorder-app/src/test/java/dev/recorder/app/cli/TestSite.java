package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.app.daemon.Stores;
import dev.recorder.machine.Machine;
import dev.recorder.machine.Services;
import dev.recorder.testing.Patience;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database, a bucket, an INI file and a machine that can be started, for tests of commands. */
public final class TestSite implements AutoCloseable {
  public static final String BUCKET = "bucket";

  public final TestDatabase database;
  public final S3Server store;
  private final Path folder;
  private Path ini;
  private Stores stores;
  private Machine machine;
  private Thread thread;

  /** Or another site's. */
  private boolean storeStopped;

  private TestSite(TestDatabase database, Path folder) throws IOException {
    this(database, withBucket(S3Server.start()), folder);
  }

  private static S3Server withBucket(S3Server store) {
    store.createBucket(BUCKET);
    S3Server.knowInThisProcess();
    return store;
  }

  private TestSite(TestDatabase database, S3Server store, Path folder) throws IOException {
    this.database = database;
    this.store = store;
    this.folder = folder;
    this.ini = write("recorder.ini", text());
  }

  /** A site whose role owns the database, so that a machine makes its tables itself. */
  public static TestSite create(Path folder) throws Exception {
    return new TestSite(TestDatabase.createOwned(), folder);
  }

  /** The same with a store that checks no signatures. */
  public static TestSite trusting(Path folder) throws Exception {
    return new TestSite(TestDatabase.createOwned(), withBucket(S3Server.startTrusting()), folder);
  }

  /** A site with a database of the test's own. */
  static TestSite on(TestDatabase database, Path folder) throws IOException {
    return new TestSite(database, folder);
  }

  /** A site whose role may only connect. */
  public static TestSite withoutRights(Path folder) throws Exception {
    return new TestSite(TestDatabase.create(), folder);
  }

  /** A site with a copy of this one's database, and with its store, which stays when it closes. */
  public TestSite copy(Path folder) throws Exception {
    TestSite copy = new TestSite(database.unpinnedCopy(), store, folder);
    copy.storeStopped = true;
    return copy;
  }

  public String text() {
    return """
        [machine]
        name = host-a
        [postgredb]
        endpoint = 127.0.0.1
        port = %d
        database = %s
        user = %s
        password = %s
        [s3]
        endpoint = %s
        bucket = %s
        prefix = prod
        [recorder:orders]
        lockid = 1
        primary = true
        linger = 50ms
        rotate_rows = 100
        [recorder:audit]
        lockid = 2
        primary = true
        compression = none
        linger = 50ms
        """
        .formatted(
            database.server().port(),
            database.name(),
            TestDatabase.ROLE,
            TestDatabase.PASSWORD,
            store.endpoint(),
            BUCKET);
  }

  /** The same text with the database on another port. */
  public String textWithPort(int port) {
    return text().replaceFirst("(?m)^port = .*$", "port = " + port);
  }

  /** The configuration file. */
  Path file() {
    return ini;
  }

  public Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  /** A file that also names a server of Redis. */
  public Path writeWithRedis(RedisServer redis, String... lines) throws IOException {
    String section = "[redis]\nendpoint = 127.0.0.1\nport = %d\n".formatted(redis.port());
    return write("redis.ini", text() + section + String.join("\n", lines) + "\n");
  }

  /** Uses another configuration file from now on. */
  public void configure(String text) throws IOException {
    ini = write("changed.ini", text);
  }

  /** Uses the configuration file with which the site was created from now on. */
  void configureAsCreated() {
    ini = folder.resolve("recorder.ini");
  }

  /** From now on commands reach the store by way of a proxy. */
  public HttpTap tapStore() throws IOException {
    HttpTap tap = HttpTap.to(store.port());
    configure(text().replace(store.endpoint().toString(), tap.endpoint().toString()));
    return tap;
  }

  /** The configuration file. */
  public Path ini() {
    return ini;
  }

  /** Runs a command with the site's configuration. */
  public Run run(String... args) {
    return Run.command(ini, args);
  }

  public void start() throws ConfigException, SQLException {
    RecorderConfig config = ConfigFile.load(ini);
    stores = new Stores(config);
    machine =
        new Machine(ConfiguredMachine.settings(config, "test"), Services.of(stores, stores.time()));
    Machine started = machine;
    thread =
        new Thread(
            () -> {
              try {
                started.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    String held = "SELECT count(*) FROM recorder.lock_recorders WHERE holder = 'host-a'";
    await(held, "2");
  }

  public void stop() throws InterruptedException {
    if (machine != null) {
      machine.stop();
      thread.join();
      stores.close();
      machine = null;
    }
  }

  /** A machine runs for as long as it takes to make its tables. */
  public void runOnce() throws Exception {
    start();
    stop();
  }

  /** Inserts rows and waits until they are recorded. */
  public void record(String recorder, int rows) throws SQLException {
    execute(
        "INSERT INTO handoff.%s (key, payload) SELECT 'k' || i, '{\"n\":1}' FROM generate_series(1, %d) i"
            .formatted(recorder, rows));
    String recorded =
        """
        SELECT coalesce(sum(row_count), 0) = (SELECT count(*) FROM handoff.%1$s)
          FROM recorder.slots s JOIN recorder.lock_recorders l USING (lock_id)
          WHERE l.recorder = '%1$s' AND s.slot <= l.last_slot"""
            .formatted(recorder);
    await(recorded, "t");
  }

  /**
   * Waits until a question has this answer, and asks it in one session: the server starts a process
   * for each. What it cannot answer yet, since a table is missing, is asked again.
   */
  public void await(String sql, String answer) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      // The databases of some tests end a session that waits, or that met an error.
      statement.execute("SET idle_session_timeout = 0; SET exit_on_error = off");
      Patience.await(sql).ignoreExceptions().until(() -> first(statement, sql).equals(answer));
    }
  }

  public void execute(String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  public String ask(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      return first(statement, sql);
    }
  }

  private static String first(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  public static String slotKey(String recorder, long slot, String extension) {
    return "prod/%s/%020d.%s".formatted(recorder, slot, extension);
  }

  /** Ends the store; nothing listens on its port any more. */
  public void stopStore() throws IOException {
    if (!storeStopped) {
      storeStopped = true;
      store.close();
    }
  }

  @Override
  public void close() throws Exception {
    stop();
    stopStore();
    database.close();
  }
}
