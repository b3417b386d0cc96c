package dev.recorder.machine;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One machine that is active for a hundred recorders, none of which has anything to do. */
@Tag("nightly")
class HundredRecordersIT {
  private static final int RECORDERS = 100;
  private static final int ROWS = 100;

  private static final MemoryStore bucket = new MemoryStore();
  private static PostgresServer server;
  private static TestDatabase database;
  private static RunningMachine machine;
  private static Connection application;

  @BeforeAll
  static void start() throws Exception {
    server =
        PostgresServer.builder()
            .set("shared_preload_libraries", "pg_stat_statements")
            .set("max_locks_per_transaction", "1024")
            .start();
    database = TestDatabase.createOn(server, TestDatabase.ROLE);
    database.execute("CREATE EXTENSION pg_stat_statements");
    MachineSettings.Builder settings =
        MachineSettings.of("host-a", TestSettings.patient(database))
            .version("test")
            .hashes("hash", Map.of("timing", "hash"))
            .timing(TestSettings.PATIENT);
    for (int number = 1; number <= RECORDERS; number++) {
      settings.log(
          RecorderSettings.of(number, layout(number))
              .primary(true)
              .linger(Duration.ZERO)
              .history(null)
              .build());
    }
    machine = new RunningMachine(new Machine(settings.build(), recorder -> bucket));
    application = database.connect();
    await()
        .ignoreExceptions()
        .until(
            () ->
                number("SELECT count(*) FROM recorder.lock_recorders WHERE holder = 'host-a'")
                    == RECORDERS);
    for (int number = 1; number <= RECORDERS; number++) {
      insert(number);
    }
    for (int number = 1; number <= RECORDERS; number++) {
      awaitSlot(number, 1); // The first row of a term is looked for in haste.
    }
  }

  @AfterAll
  static void stop() throws Exception {
    application.close();
    machine.stop();
    database.close();
    server.close();
  }

  /** The product's bound is 100 ms, of which the figure tells; only a hang takes a minute. */
  @Test
  void aRowOfAnyOfThemIsSoonAnObject() throws Exception {
    double[] millis = new double[ROWS];
    int[] slots = IntStream.generate(() -> 1).limit(RECORDERS + 1).toArray();
    Random random = new Random(1);
    for (int row = 0; row < ROWS; row++) {
      int number = 1 + random.nextInt(RECORDERS);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
      insert(number);
      long committed = System.nanoTime();
      awaitSlot(number, ++slots[number]);
      millis[row] = (System.nanoTime() - committed) / 1e6;
    }
    Arrays.sort(millis);
    System.out.printf(
        "figure: of %d idle recorders, a row is an object after p50 %.0f ms, p99 %.0f ms%n",
        RECORDERS, millis[ROWS / 2], millis[ROWS - 2]);
    assertThat(millis[ROWS - 1]).isLessThan((double) A_MINUTE.toMillis());
  }

  /**
   * A read of each every second, as it once was, would be 200. Whoever gets no processor sends
   * less; the time has all in it that is counted.
   */
  @Test
  void theyAreLookedForTogether() throws Exception {
    long start = System.nanoTime();
    long before = statements();
    TimeUnit.SECONDS.sleep(12); // Each is read once in ten, whatever was seen.
    double perSecond = (statements() - before) / ((System.nanoTime() - start) / 1e9);
    System.out.printf("figure: %d idle recorders, %.1f statements/s%n", RECORDERS, perSecond);
    assertThat(perSecond).isLessThan(150);
  }

  /** What the machine has sent, of whatever kind. */
  private static long statements() throws SQLException {
    try (Connection administrator = database.connectAsSuperuser();
        Statement statement = administrator.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT sum(calls) FROM pg_stat_statements WHERE userid = 'recorder'::regrole")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void awaitSlot(int number, int slot) {
    String key = layout(number).slotKey(slot);
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(1, TimeUnit.MILLISECONDS)
        .until(() -> bucket.objects().containsKey(key));
  }

  private static LogLayout layout(int number) {
    return new LogLayout("", "b", "p", new RecorderName("r" + number), Compression.GZIP);
  }

  private static void insert(int number) throws SQLException {
    try (Statement statement = application.createStatement()) {
      statement.execute("INSERT INTO handoff.r" + number + " (payload) VALUES ('{}')");
    }
  }

  private static long number(String sql) throws SQLException {
    try (Statement statement = application.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
