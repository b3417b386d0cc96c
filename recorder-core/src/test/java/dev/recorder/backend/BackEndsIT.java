package dev.recorder.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Timing;
import dev.recorder.machine.Machine;
import dev.recorder.machine.MachineSettings;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines that work requests off, on a real database and a store in memory. */
class BackEndsIT {
  private static final DocumentLayout LAYOUT =
      new DocumentLayout("", "bucket", "p", new RecorderName("accounts"));

  private final MemoryStore bucket = new MemoryStore();
  private final List<Running> running = new ArrayList<>();
  private TestDatabase database;
  private Connection producer;

  @BeforeEach
  void createDatabase() throws Exception {
    database = TestDatabase.createOwned();
    producer = database.connect();
  }

  @AfterEach
  void stop() throws Exception {
    running.forEach(Running::stop);
    producer.close();
    database.close();
  }

  @Test
  void aCreateAndItsUpdatesEndInOneDocument() throws Exception {
    start("host-a");
    insert("create", "a/1", "{\"name\":\"Ada\",\"n\":1}");
    insert("update", "a/1", "{\"n\":2}");
    insert("update", "a/1", "{\"n\":null,\"m\":3}");
    awaitSettled(3);

    assertThat(document("a%2F1")).isEqualTo("{\"name\":\"Ada\",\"m\":3}");
    assertThat(
            text(
                "SELECT count(DISTINCT process_id) || ' ' || bool_and(attempts = 1) FROM handoff.accounts"))
        .isEqualTo("2 true");
  }

  @Test
  void requestsThatCameWhileNobodyRanAreWorkedOffByAllMachines() throws Exception {
    Running first = start("host-a");
    first.stop();
    for (int i = 0; i < 200; i++) {
      insert("create", "e" + i, "{\"i\":" + i + "}");
    }
    start("host-b");
    start("host-c");
    awaitSettled(200);

    for (int i = 0; i < 200; i++) {
      assertThat(document("e" + i)).isEqualTo("{\"i\":" + i + "}");
    }
  }

  private void insert(String type, String entity, String payload) throws SQLException {
    try (var insert =
        producer.prepareStatement(
            "INSERT INTO handoff.accounts (request_type, entity_id, payload) VALUES (?, ?, ?::json)")) {
      insert.setString(1, type);
      insert.setString(2, entity);
      insert.setString(3, payload);
      insert.executeUpdate();
    }
  }

  private void awaitSettled(int rows) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                text("SELECT count(*)::text FROM handoff.accounts WHERE request_status = 'complete'")
                    .equals(Integer.toString(rows)));
  }

  private String document(String key) {
    String body =
        new String(
            bucket.objects().get("p/accounts/" + key + ".json").bytes(), StandardCharsets.UTF_8);
    return body.strip();
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = producer.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private Running start(String name) throws Exception {
    DatabaseSettings settings =
        new DatabaseSettings(
            "127.0.0.1",
            database.server().port(),
            database.name(),
            TestDatabase.ROLE,
            TestDatabase.PASSWORD,
            null,
            null,
            SchemaNames.DEFAULT,
            Duration.ofSeconds(1),
            Duration.ofSeconds(3));
    BackEndSettings accounts =
        new BackEndSettings(5, 4, "", Duration.ofSeconds(60), 20, null, LAYOUT, 16 << 20);
    Running started =
        new Running(
            new Machine(
                new MachineSettings(
                    name,
                    "test",
                    "hash",
                    Map.of(),
                    settings,
                    Timing.DEFAULT,
                    List.of(),
                    List.of(accounts)),
                recorder -> bucket));
    running.add(started);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                text("SELECT (to_regclass('handoff.accounts') IS NOT NULL)::text").equals("true"));
    return started;
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

    void stop() {
      machine.stop();
      try {
        thread.join(15_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(thread.isAlive()).isFalse();
    }
  }
}
