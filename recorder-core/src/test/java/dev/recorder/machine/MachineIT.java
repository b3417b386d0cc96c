package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Failback;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import dev.recorder.testing.TestSettings;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two machines of one JVM on a real database: the way of rows into slots, and of a recorder. */
@Tag("smoke")
class MachineIT {
  private static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);

  private final MemoryStore bucket = new MemoryStore();
  private final List<Running> running = new ArrayList<>();
  private TestDatabase database;

  @BeforeEach
  void createDatabase() throws SQLException {
    database = TestDatabase.createOwned();
  }

  @AfterEach
  void stopEverything() throws Exception {
    for (Running each : running) {
      each.stop();
    }
    database.close();
  }

  @Test
  void everyRowEndsInOneObjectInOrder() throws Exception {
    start("host-a", true);
    awaitHolder("host-a");
    insert(1, 2_500);
    await().until(() -> recorded().size() == 2_500);
    assertThat(recorded()).isSorted().doesNotHaveDuplicates();
    assertThat(new SlotReader(bucket, LAYOUT).read(1)).isPresent();
  }

  @Test
  void aStoppedPrimaryReleasesAndItsSecondaryGoesOn() throws Exception {
    Running a = start("host-a", true);
    awaitHolder("host-a");
    start("host-b", false);
    insert(1, 100);
    await().until(() -> recorded().size() == 100);
    a.stop();
    insert(101, 100);
    awaitHolder("host-b");
    await().until(() -> recorded().size() == 200);
    assertThat(recorded()).isSorted().doesNotHaveDuplicates();
    assertThat(query("SELECT string_agg(reason, ',' ORDER BY id) FROM recorder.takeovers"))
        .isEqualTo("start,released");
  }

  @Test
  void aTimerSourceTicksWhileItsMachineIsActiveAndGoesOnCountingOnTheNext() throws Exception {
    Running a = start("host-a", true, Duration.ofMillis(20));
    awaitHolder("host-a");
    start("host-b", false, Duration.ofMillis(20));
    await().until(() -> recorded().size() > 5);
    a.stop();
    int before = recorded().size();
    await().until(() -> recorded().size() > before + 5);
    assertThat(
            query(
                "SELECT count(*) FILTER (WHERE (payload->>'tick')::bigint <> place) FROM (SELECT"
                    + " payload, row_number() OVER (ORDER BY xid, id) AS place"
                    + " FROM handoff.orders) ticks"))
        .isEqualTo("0");
  }

  @Test
  void aRecorderThatIsRemovedSettlesWhatIsUnderWayFirst() throws Exception {
    CountDownLatch putting = new CountDownLatch(1);
    DocumentStore slow =
        (DocumentStore)
            Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("putIfAbsent")
                      && arguments[0].equals(LAYOUT.slotKey(1))) {
                    putting.countDown();
                    Thread.sleep(700);
                  }
                  return method.invoke(bucket, arguments);
                });
    MachineSettings settings = machineSettings("host-a", true, null);
    Machine machine = new Machine(settings, recorder -> slow);
    running.add(new Running(machine));
    awaitHolder("host-a");
    insert(1, 10);
    putting.await();

    machine.reconfigure(with(settings, List.of()));

    await().until(() -> query("SELECT holder FROM recorder.lock_recorders") == null);
    assertThat(query("SELECT last_slot FROM recorder.lock_recorders")).isEqualTo("1");

    machine.reconfigure(settings);
    insert(11, 10);
    await().until(() -> recorded().size() == 20);
    assertThat(recorded()).isSorted().doesNotHaveDuplicates();
  }

  private static MachineSettings with(MachineSettings settings, List<RecorderSettings> recorders) {
    return new MachineSettings(
        settings.name(),
        settings.version(),
        settings.configHash(),
        settings.sectionHashes(),
        settings.database(),
        settings.timing(),
        recorders);
  }

  private Running start(String name, boolean primary) {
    return start(name, primary, null);
  }

  private Running start(String name, boolean primary, @Nullable Duration tickEvery) {
    Running started =
        new Running(new Machine(machineSettings(name, primary, tickEvery), recorder -> bucket));
    running.add(started);
    return started;
  }

  private MachineSettings machineSettings(
      String name, boolean primary, @Nullable Duration tickEvery) {
    return new MachineSettings(
        name,
        "test",
        "hash",
        Map.of("timing", "hash"),
        TestSettings.patient(database),
        TestSettings.PATIENT,
        List.of(
            new RecorderSettings(
                1,
                ElectionKind.ADVISORY,
                primary,
                Failback.AUTO,
                LAYOUT,
                new Rotation(1_000, 1 << 20),
                Duration.ofMillis(200),
                RecorderSettings.DEFAULT_MAX_PAYLOAD,
                tickEvery)));
  }

  private void awaitHolder(String machine) {
    await()
        .ignoreExceptions()
        .until(
            () ->
                machine.equals(query("SELECT holder FROM recorder.lock_recorders"))
                    && query("SELECT count(*) FROM handoff.orders") != null);
  }

  private void insert(int first, int count) throws SQLException {
    try (Connection connection = database.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO handoff.orders (key, payload) VALUES (?, ?::json)")) {
      for (int i = first; i < first + count; i++) {
        statement.setString(1, "k" + i);
        statement.setString(2, "{\"n\": " + i + "}");
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private List<Long> recorded() throws Exception {
    List<Long> ids = new ArrayList<>();
    SlotReader reader = new SlotReader(bucket, LAYOUT);
    for (long slot = 1; ; slot++) {
      Optional<SlotReader.Slot> read = reader.read(slot);
      if (read.isEmpty()) {
        return ids;
      }
      read.get().lines().forEach(line -> ids.add(line.id()));
    }
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static final class Running {
    private final Machine machine;
    private final Thread thread;

    Running(Machine machine) {
      this.machine = machine;
      this.thread =
          new Thread(
              () -> {
                try {
                  machine.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
    }

    void stop() throws InterruptedException {
      machine.stop();
      thread.join();
    }
  }
}
