package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Failback;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.network.GreetingTap;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a machine says at its start about things that keep nothing from running. */
class StartReportIT {
  private static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.recorder.machine");
  private final List<Started> started = new ArrayList<>();
  private TestDatabase database;

  private record Started(Machine machine, Thread thread) {
    void stop() throws InterruptedException {
      machine.stop();
      thread.join();
    }
  }

  @BeforeEach
  void begin() throws SQLException {
    database = TestDatabase.createOwned();
    log.list = new CopyOnWriteArrayList<>(); // machines write it while the test reads
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void end() throws Exception {
    logger.detachAppender(log);
    for (Started each : started) {
      each.stop();
    }
    database.close();
  }

  @Test
  void twoVersionsRunSideBySideAndHandOver() throws Exception {
    DocumentStore bucket = new MemoryStore();
    Started old = start("host-a", "1.0", TestDatabase.ROLE, bucket);
    awaitHolder("host-a");
    insert();
    start("host-b", "2.0", TestDatabase.ROLE, bucket);
    awaitLog(Level.WARN, "this host runs version 2.0, host-a runs 1.0: they work together");
    awaitLog(Level.INFO, "able to take it");
    old.stop();
    awaitHolder("host-b");
    insert();
    awaitSettled(20);
    assertThat(messages(Level.WARN))
        .filteredOn(message -> message.contains("this host runs version 2.0"))
        .hasSize(1);
  }

  @Test
  void aSuperuserIsWarnedOf() throws Exception {
    start("host-a", "1.0", PostgresServer.SUPERUSER, new MemoryStore());
    awaitHolder("host-a");
    awaitLog(Level.WARN, "role postgres is a superuser", "'recorder schema'");
  }

  @Test
  void aVersionThatDamagesIndexesIsWarnedOf() throws Exception {
    String own = one("SELECT current_setting('server_version')");
    String old = "14." + "0".repeat(own.split(" ", 2)[0].length() - 4) + "3";
    try (GreetingTap tap =
        GreetingTap.ofVersion(database.server().port(), own, old + own.substring(old.length()))) {
      Started machine =
          start("host-a", "1.0", TestSettings.of(database, tap.port()), new MemoryStore());
      awaitLog(Level.WARN, "PostgreSQL " + old, "can damage an index", "update to 14.4 or later");
      machine.stop();
    }
  }

  @Test
  void aStrangerWhoHoldsARecordersLockIsNamedOnceAndWhenItIsOver() throws Exception {
    DocumentStore bucket = new MemoryStore();
    start("host-a", "1.0", TestDatabase.ROLE, bucket);
    awaitHolder("host-a");
    started.remove(0).stop();
    try (Connection stranger = database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + SchemaNames.DEFAULT.lockNamespace() + ", 1)");

      start("host-a", "1.0", TestDatabase.ROLE, bucket);
      awaitLog(
          Level.WARN,
          "lockid 1 is held by a foreign session",
          "of role postgres, application 'PostgreSQL JDBC Driver'",
          "pg_terminate_backend(");
    }
    awaitHolder("host-a");
    awaitLog(Level.INFO, "lockid 1 is free again; it was held by database session");
    assertThat(messages(Level.WARN))
        .filteredOn(message -> message.contains("is held by a foreign session"))
        .hasSize(1);
  }

  @Test
  void soIsOneWhoHoldsAKeyByWhichHostsShareWork() throws Exception {
    start("host-a", "1.0", TestDatabase.ROLE, new MemoryStore());
    awaitHolder("host-a");
    try (Connection stranger = database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(hashtextextended('captures of orders', 0))");
      statement.execute(
          "SELECT pg_advisory_lock(" + SchemaNames.DEFAULT.waitersNamespace() + ", 1)");

      awaitLog(
          Level.WARN,
          "the key of the captures of orders is held by a foreign session",
          "of role postgres, application 'PostgreSQL JDBC Driver'");
      awaitLog(
          Level.WARN,
          "the key by which those are known who wait for slots of orders is held by a foreign");
    }
    awaitLog(
        Level.INFO,
        "the key of the captures of orders is free again; it was held by database session");
  }

  @Test
  void rulesThatLetSlotsExpireAreWarnedOf() throws Exception {
    DocumentStore bucket = new MemoryStore();
    start("host-a", "1.0", TestDatabase.ROLE, new Expiring(bucket));
    awaitLog(
        Level.WARN,
        "lifecycle rules of bucket b let objects of p/orders/ expire: monthly;",
        "floor");
    awaitHolder("host-a");
  }

  @Test
  void rulesThatArchiveSlotsAreWarnedOf() throws Exception {
    start("host-a", "1.0", TestDatabase.ROLE, new Expiring(new MemoryStore()));
    awaitLog(
        Level.WARN, "lifecycle rules of bucket b archive objects of p/orders/: deep;", "restored");
    awaitHolder("host-a");
  }

  @Test
  void aLimitThatCannotBeChangedIsWarnedOf() throws Exception {
    Started first = start("host-a", "1.0", TestDatabase.ROLE, new MemoryStore());
    awaitHolder("host-a");
    first.stop();
    database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload",
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT ON handoff.orders TO recorder");
    start("host-b", "1.0", TestDatabase.ROLE, new MemoryStore());
    awaitLog(
        Level.WARN,
        "recorder orders: max_payload is not applied: the file says 16777216 bytes",
        "has no limit",
        "ALTER TABLE handoff.orders");
  }

  private Started start(String name, String version, String role, DocumentStore bucket) {
    return start(name, version, TestSettings.as(role, database), bucket);
  }

  private Started start(
      String name, String version, DatabaseSettings settings, DocumentStore bucket) {
    RecorderSettings recorder =
        RecorderSettings.of(1, LAYOUT)
            .primary(true)
            .failback(Failback.MANUAL)
            .rotation(new Rotation(1_000, 1 << 20))
            .linger(Duration.ofMillis(50))
            .build();
    Machine machine =
        new Machine(
            MachineSettings.of(name, settings)
                .version(version)
                .timing(TestSettings.PATIENT)
                .log(recorder)
                .build(),
            any -> bucket);
    Thread thread =
        new Thread(
            () -> {
              try {
                machine.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    Started all = new Started(machine, thread);
    started.add(all);
    return all;
  }

  private void awaitHolder(String machine) {
    await()
        .ignoreExceptions()
        .until(() -> machine.equals(one("SELECT holder FROM recorder.lock_recorders")));
  }

  private void awaitSettled(int rows) {
    String sql =
        "SELECT coalesce(sum(row_count), 0) FROM recorder.slots s"
            + " JOIN recorder.lock_recorders l USING (lock_id) WHERE s.slot <= l.last_slot";
    await().until(() -> one(sql).equals(Integer.toString(rows)));
  }

  private void awaitLog(Level level, String... parts) {
    await()
        .untilAsserted(
            () ->
                assertThat(messages(level))
                    .anySatisfy(message -> assertThat(message).contains(parts)));
  }

  private List<String> messages(Level level) {
    return log.list.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private void insert() throws SQLException {
    database.execute("INSERT INTO handoff.orders (payload) SELECT '1' FROM generate_series(1, 10)");
  }

  private String one(String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** A bucket with lifecycle rules. */
  private record Expiring(DocumentStore bucket) implements DocumentStore {
    @Override
    public FetchAnswer fetch(String key, LongPredicate mayRead) {
      return bucket.fetch(key, mayRead);
    }

    @Override
    public PutAnswer putIfMatch(
        String key, byte[] body, Map<String, String> metadata, String etag) {
      return bucket.putIfMatch(key, body, metadata, etag);
    }

    @Override
    public List<String> expiringRules(String folder) {
      return List.of("monthly");
    }

    @Override
    public List<String> archivingRules(String folder) {
      return List.of("deep");
    }

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return bucket.putIfAbsent(key, body, metadata);
    }

    @Override
    public HeadAnswer head(String key) {
      return bucket.head(key);
    }

    @Override
    public GetAnswer get(String key) {
      return bucket.get(key);
    }
  }
}
