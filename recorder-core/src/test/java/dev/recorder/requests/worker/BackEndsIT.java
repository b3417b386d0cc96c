package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.Machine;
import dev.recorder.machine.MachineSettings;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.Claim;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import dev.recorder.testing.TestSettings;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines that process requests, on a real database and a store in memory. */
class BackEndsIT {
  private static final int LOCK_ID = 5;
  private static final int MEASURED_SECONDS = 5;
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

  @Test
  void whatAMachineHoldsThatHasFallenSilentIsDoneByAPeerAndALivingOnesIsLeft() throws Exception {
    start("host-a").stop();
    insert("update", "silent's", "{\"n\":1}");
    insert("update", "living's", "{\"n\":2}");
    try (RequestSession silent = claim("silent", 0);
        RequestSession living = claim("living", 1)) {
      // Longer ago than the seconds in which only the machine that died may take it up again.
      run(
          "UPDATE handoff.accounts SET begun_at = begun_at - interval '10 s',"
              + " created_at = created_at - interval '10 s'");
      beat("silent", "now() - interval '1 min'");
      beat("living", "now() + interval '1 h'");
      start("host-b");
      awaitSettled(1);

      assertThat(document("silent%27s")).isEqualTo("{\"n\":1}");
      assertThat(
              text(
                  "SELECT string_agg(concat(id, request_status, deaths), ' ' ORDER BY id)"
                      + " FROM handoff.accounts"))
          .isEqualTo("1complete1 2new0");
      assertThat(living.of(List.of(2L))).containsEntry(2L, RequestStatus.NEW);
      assertThatThrownBy(() -> silent.of(List.of(1L))).isInstanceOf(DatabaseException.class);
    }
  }

  /** As its thread would, of which each recorder has few. */
  @Test
  void whatThrowsIsTriedAgainAndEndsNoWorker() throws Exception {
    start("host-a", 1, throwingAt("bomb.json"));
    insert("update", "bomb", "{\"n\":1}");
    insert("update", "fine", "{\"n\":2}");
    awaitSettled(1);
    insert("update", "fine", "{\"m\":3}");
    awaitSettled(2);

    assertThat(document("fine")).isEqualTo("{\"n\":2,\"m\":3}");
    assertThat(
            text(
                "SELECT concat(request_status, ' ', deaths, ' ', error_text)"
                    + " FROM handoff.accounts WHERE id = 1"))
        .startsWith("new 0 internal error: java.lang.IllegalStateException");
  }

  /**
   * One worker at a time looks, soon only once a second, and a look takes a few scans. A spinning
   * one would scan the table a thousand times a second.
   */
  @Test
  void anEntityThatSomebodyElseHasMakesNoWorkerSpin() throws Exception {
    int workers = 16;
    start("host-a").stop();
    insert("update", "busy", "{}");
    try (RequestSession other = claim("other", 0)) {
      // As between two workers' claims: the entity is had, and the row does not show it.
      run("UPDATE handoff.accounts SET begun_by = NULL");
      start("host-b", workers, bucket);
      insert("update", "free", "{}");
      awaitSettled(1);
      Thread.sleep(2_000);
      long before = scans();
      Thread.sleep(MEASURED_SECONDS * 1_000L);

      assertThat(scans() - before).isLessThan(10L * MEASURED_SECONDS * workers);
      assertThat(other.of(List.of(1L))).containsEntry(1L, RequestStatus.NEW);
    }
    awaitSettled(2);
  }

  /** How often the table has been looked at, as the server tells, some seconds late. */
  private long scans() throws SQLException {
    return Long.parseLong(
        text("SELECT idx_scan + seq_scan FROM pg_stat_user_tables WHERE relname = 'accounts'"));
  }

  private DocumentStore throwingAt(String end) {
    return (DocumentStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("fetch") && String.valueOf(arguments[0]).endsWith(end)) {
                throw new IllegalStateException("of the test");
              }
              return method.invoke(bucket, arguments);
            });
  }

  /** A session of another machine, on which the first request behind {@code line} is claimed. */
  private RequestSession claim(String machine, long line) {
    RequestSession session =
        RequestSession.open(
            new Sessions(TestSettings.patient(database), machine),
            LAYOUT.recorder(),
            LOCK_ID,
            Duration.ofSeconds(60));
    assertThat(session.claim(UUID.randomUUID(), line, Set.of(), true))
        .isInstanceOf(Claim.Begun.class);
    return session;
  }

  private void beat(String machine, String at) throws SQLException {
    run(
        "INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,"
            + " backend_start, version, config_hash) VALUES ('%s', %s, 0, 0, 1, now(), 'test', '')"
                .formatted(machine, at));
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = producer.createStatement()) {
      statement.execute(sql);
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
    return start(name, 4, bucket);
  }

  private Running start(String name, int workers, DocumentStore store) throws Exception {
    BackEndSettings accounts = BackEndSettings.of(LOCK_ID, LAYOUT).workers(workers).build();
    Running started =
        new Running(
            new Machine(
                MachineSettings.of(name, TestSettings.patient(database))
                    .timing(TestSettings.PATIENT)
                    .requests(accounts)
                    .build(),
                recorder -> store));
    running.add(started);
    await()
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
        thread.join(60_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(thread.isAlive()).isFalse();
    }
  }
}
