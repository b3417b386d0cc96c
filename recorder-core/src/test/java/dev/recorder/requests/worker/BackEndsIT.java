package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.Machine;
import dev.recorder.machine.RunningMachine;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.PauseOrder;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Claim;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestSettings;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Machines that process requests, on a real database and a store in memory. They mostly wait, each
 * test for what is its own.
 */
@Execution(ExecutionMode.CONCURRENT)
class BackEndsIT {
  private static final int MEASURED_SECONDS = 5;

  private final MemoryStore bucket = new MemoryStore();
  private final List<RunningMachine> running = new ArrayList<>();
  private Accounts accounts;

  @BeforeEach
  void createDatabase() throws Exception {
    accounts = new Accounts();
  }

  @AfterEach
  void stop() throws Exception {
    for (RunningMachine machine : running) {
      machine.stop();
    }
    accounts.close();
  }

  @Test
  void aCreateAndItsUpdatesEndInOneDocument() throws Exception {
    start("host-a");
    accounts.insert("create", "a/1", "{\"name\":\"Ada\",\"n\":1}");
    accounts.insert("update", "a/1", "{\"n\":2}");
    accounts.insert("update", "a/1", "{\"n\":null,\"m\":3}");
    accounts.awaitComplete(3);

    assertThat(document("a%2F1")).isEqualTo("{\"name\":\"Ada\",\"m\":3}");
    assertThat(
            accounts.text(
                "SELECT count(DISTINCT process_id) || ' ' || bool_and(attempts = 1) FROM"
                    + " handoff.accounts"))
        .isEqualTo("2 true");
  }

  @Test
  void whatBecomesOfRequestsIsCounted() throws Exception {
    RequestMetrics metrics = start("host-a").metrics().requests("accounts");
    accounts.insert("create", "a/1", "{}");
    accounts.insert("update", "a/1", "{}");
    accounts.awaitComplete(2);

    await().until(() -> metrics.requests().read().equals(Map.of("complete", 2L, "error", 0L)));
    assertThat(metrics.isAble()).isTrue();
    assertThat(metrics.units().read()).containsEntry("settled", 2L);
  }

  @Test
  void requestsThatCameWhileNobodyRanAreWorkedOffByAllMachines() throws Exception {
    RunningMachine first = start("host-a");
    first.stop();
    for (int i = 0; i < 200; i++) {
      accounts.insert("create", "e" + i, "{\"i\":" + i + "}");
    }
    start("host-b");
    start("host-c");
    accounts.awaitComplete(200);

    for (int i = 0; i < 200; i++) {
      assertThat(document("e" + i)).isEqualTo("{\"i\":" + i + "}");
    }
  }

  @Test
  void aRecorderThatIsPausedClaimsNothingOnAnyHostNotEvenOnOneThatStarts() throws Exception {
    RunningMachine a = start("host-a");
    try (Inspection operator = Inspection.open(accounts.sessions("cli"))) {
      RecorderName name = Accounts.LAYOUT.recorder();
      await().ignoreExceptions().until(() -> operator.recorder(name).isPresent());
      PauseOrder order = new PauseOrder(Duration.ofHours(1), "the bucket moves", "alice");
      assertThat(operator.pauses().pause(name, order)).isTrue();
      await().until(() -> a.metrics().isPaused("accounts"));
      accounts.insert("create", "a/1", "{}");
      RunningMachine b = start("host-b");
      await().until(() -> b.metrics().isPaused("accounts"));
      await().until(() -> b.metrics().requests("accounts").isAble());

      operator.pauses().resume(name, "bob");
      accounts.awaitComplete(1);
      assertThat(
              accounts.text(
                  "SELECT begun_at > (SELECT max(at) FROM recorder.pauses) FROM handoff.accounts"))
          .isEqualTo("t");
    }
  }

  @Test
  void whatMayBePoisonIsWorkedOnThoughThousandsOfRowsBeforeItHaveToWait() throws Exception {
    start("host-a").stop();
    accounts.run(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload, not_before)"
            + " SELECT 'update', 'waits', '{}', now() + interval '1 h'"
            + " FROM generate_series(1, 5001)");
    accounts.insert("update", "left", "{\"n\":1}");
    accounts.run(
        "UPDATE handoff.accounts SET begun_by = 'gone', begun_at = now() - interval '1 min',"
            + " process_id = gen_random_uuid(), attempts = 1 WHERE entity_id = 'left'");
    start("host-b");
    accounts.awaitComplete(1);
    assertThat(document("left")).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatAMachineHoldsThatHasFallenSilentIsDoneByAPeerAndALivingOnesIsLeft() throws Exception {
    start("host-a").stop();
    accounts.insert("update", "silent's", "{\"n\":1}");
    accounts.insert("update", "living's", "{\"n\":2}");
    try (RequestSession silent = claim("silent", 0);
        RequestSession living = claim("living", 1)) {
      // Longer ago than the seconds in which only the machine that died may take it up again.
      accounts.run(
          "UPDATE handoff.accounts SET begun_at = begun_at - interval '10 s',"
              + " created_at = created_at - interval '10 s'");
      beat("silent", "now() - interval '1 min'");
      beat("living", "now() + interval '1 h'");
      start("host-b");
      accounts.awaitComplete(1);

      assertThat(document("silent%27s")).isEqualTo("{\"n\":1}");
      assertThat(
              accounts.text(
                  "SELECT string_agg(concat(id, request_status, deaths), ' ' ORDER BY id)"
                      + " FROM handoff.accounts"))
          .isEqualTo("1complete1 2new0");
      assertThat(living.of("living's", List.of(2L))).containsKey(2L);
      assertThatThrownBy(() -> silent.of("silent's", List.of(1L)))
          .isInstanceOf(DatabaseException.class);
    }
  }

  /** As its thread would, of which each recorder has few. */
  @Test
  void whatThrowsIsTriedAgainAndEndsNoWorker() throws Exception {
    start("host-a", 1, throwingAt("bomb.json"));
    accounts.insert("update", "bomb", "{\"n\":1}");
    accounts.insert("update", "fine", "{\"n\":2}");
    accounts.awaitComplete(1);
    accounts.insert("update", "fine", "{\"m\":3}");
    accounts.awaitComplete(2);

    assertThat(document("fine")).isEqualTo("{\"n\":2,\"m\":3}");
    assertThat(
            accounts.text(
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
    accounts.insert("update", "busy", "{}");
    try (RequestSession other = claim("other", 0)) {
      // As between two workers' claims: the entity is had, and the row does not show it.
      accounts.run("UPDATE handoff.accounts SET begun_by = NULL");
      start("host-b", workers, bucket);
      accounts.insert("update", "free", "{}");
      accounts.awaitComplete(1);
      Thread.sleep(2_000);
      long before = scans();
      Thread.sleep(MEASURED_SECONDS * 1_000L);

      assertThat(scans() - before).isLessThan(10L * MEASURED_SECONDS * workers);
      assertThat(other.of("busy", List.of(1L))).containsKey(1L);
    }
    accounts.awaitComplete(2);
  }

  /** How often the table has been looked at, as the server tells, some seconds late. */
  private long scans() throws SQLException {
    return Long.parseLong(
        accounts.text(
            "SELECT idx_scan + seq_scan FROM pg_stat_user_tables WHERE relname = 'accounts'"));
  }

  private DocumentStore throwingAt(String end) {
    Throwable failure = new IllegalStateException("of the test");
    return Accounts.failing(
        bucket,
        (method, arguments) ->
            method.getName().equals("fetch") && String.valueOf(arguments[0]).endsWith(end)
                ? failure
                : null);
  }

  /** A session of another machine, on which the first request behind {@code line} is claimed. */
  private RequestSession claim(String machine, long line) {
    RequestSession session =
        RequestSession.open(
            accounts.sessions(machine), Accounts.LAYOUT.recorder(), Accounts.LOCK_ID, A_MINUTE);
    assertThat(session.claim(UUID.randomUUID(), line, Set.of(), true))
        .isInstanceOf(Claim.Begun.class);
    return session;
  }

  private void beat(String machine, String at) throws SQLException {
    accounts.run(
        "INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,"
            + " backend_start, version, config_hash) VALUES ('%s', %s, 0, 0, 1, now(), 'test', '')"
                .formatted(machine, at));
  }

  private String document(String key) {
    String body =
        new String(
            bucket.objects().get("p/accounts/" + key + ".json").bytes(), StandardCharsets.UTF_8);
    return body.strip();
  }

  private RunningMachine start(String name) throws Exception {
    return start(name, 4, bucket);
  }

  private RunningMachine start(String name, int workers, DocumentStore store) throws Exception {
    RunningMachine started =
        new RunningMachine(
            new Machine(
                MachineSettings.of(name, TestSettings.patient(accounts.database))
                    .timing(TestSettings.PATIENT)
                    .requests(Accounts.settings(workers, A_MINUTE))
                    .build(),
                recorder -> store));
    running.add(started);
    String isThere = "SELECT to_regclass('handoff.accounts') IS NOT NULL";
    await().until(() -> accounts.text(isThere).equals("t"));
    return started;
  }
}
