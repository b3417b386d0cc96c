package dev.recorder.operate;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.WorkCounts;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of what is told from a real database. */
class WorkCountsIT {
  private static final RecorderName JOBS = new RecorderName("jobs");

  private TestDatabase database;
  private Connection outside;
  private Inspection inspection;

  @BeforeEach
  void open() throws Exception {
    database = TestDatabase.createOwned();
    outside = database.connect();
    LockSites.create(database);
    HandoffTable table = new HandoffTable(JOBS, RecorderKind.REQUESTS, 1 << 20);
    run(table.create(SchemaNames.DEFAULT));
    inspection = Inspection.open(TestSessions.patient(database, "outside"));
  }

  @AfterEach
  void close() throws Exception {
    inspection.close();
    outside.close();
    database.close();
  }

  @Test
  void requestsAreCountedByWhatBecomesOfThemUpToABound() throws Exception {
    run(
        """
        INSERT INTO handoff.jobs (entity_id, request_type, request_status, not_before)
        SELECT 'e' || n, 'update', CASE WHEN n <= 8 THEN 'new' WHEN n <= 12 THEN 'error'
            ELSE 'complete' END,
          CASE n WHEN 1 THEN now() + interval '1 hour' WHEN 2 THEN now() - interval '1 hour' END
        FROM generate_series(1, 20) n
        """);

    assertThat(requests(100)).isEqualTo(new WorkCounts.Requests(7, 1, 4));
    assertThat(requests(3)).isEqualTo(new WorkCounts.Requests(2, 1, 3));
  }

  @Test
  void ofATableThatIsLockedNothingIsToldAndOfOneThatIsNotThereNeither() throws Exception {
    assertThat(requests(100)).isEqualTo(new WorkCounts.Requests(0, 0, 0));
    outside.setAutoCommit(false);
    run("LOCK TABLE handoff.jobs IN ACCESS EXCLUSIVE MODE");
    inspection.facts(Duration.ofSeconds(2), 1); // From then on nothing is waited for.

    assertThat(counts(100, "jobs", "others").requests()).isEmpty();
    outside.rollback();
  }

  @Test
  void ofATableThatMayNotBeReadNothingIsToldAndOfTheOthersAllIs() throws Exception {
    run(
        "INSERT INTO recorder.lock_recorders (lock_id, recorder, kind, layout)"
            + " VALUES (2, 'jobs', 'requests', '{}')");
    run("REVOKE SELECT ON handoff.jobs FROM " + TestDatabase.ROLE);

    assertThat(inspection.facts(Duration.ofSeconds(2), 1).recorder("jobs"))
        .hasValueSatisfying(jobs -> assertThat(jobs.status().backlog()).isNull());
    assertThat(counts(100, "jobs").requests()).isEmpty();
  }

  @Test
  void locksThatAreTakenAreCountedAndWhoWaits() throws Exception {
    assertThat(locks()).isEqualTo(new WorkCounts.Locks(0, 0, 0, 0));
    run("INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('a', true), ('b', false)");
    run(
        """
        INSERT INTO recorder.lock_timeout (id, due_at)
        VALUES ('held', now() + interval '1 h'), ('over', now() - interval '1 h'),
          ('free', '-infinity')
        """);
    try (AdvisoryLocks mine =
            new AdvisoryLocks(TestSessions.patient(database, "a"), Instruments.PLAIN);
        AdvisoryLocks other =
            new AdvisoryLocks(TestSessions.patient(database, "b"), Instruments.PLAIN)) {
      CompletableFuture<?> waits;
      try (Lease held = mine.lock("nightly").tryAcquire().orElseThrow()) {
        waits = CompletableFuture.runAsync(() -> takeAndFree(other));
        await().until(() -> locks().equals(new WorkCounts.Locks(1, 1, 1, 1)));
      }
      waits.join();
    }
    await().until(() -> locks().equals(new WorkCounts.Locks(0, 0, 1, 1)));
  }

  @Test
  void withoutTablesOfLocksThereAreNone() throws Exception {
    run("DROP TABLE recorder.lock_mutex, recorder.lock_timeout");

    assertThat(locks()).isEqualTo(new WorkCounts.Locks(0, 0, 0, 0));
  }

  private static void takeAndFree(AdvisoryLocks locks) {
    try {
      locks.lock("nightly").tryAcquire(Duration.ofMinutes(1)).orElseThrow().close();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private WorkCounts.Requests requests(int upTo) {
    return counts(upTo, "jobs").requests().get("jobs");
  }

  private WorkCounts.Locks locks() {
    return counts(10).locks();
  }

  private WorkCounts counts(int upTo, String... recorders) {
    List<RecorderStatus> all =
        List.of(recorders).stream()
            .map(name -> new RecorderStatus(name, 2, "requests", null, 0, 1, 0, null, null))
            .toList();
    return inspection.workCounts(all, upTo);
  }

  private void run(String sql) throws Exception {
    try (Statement statement = outside.createStatement()) {
      statement.execute(sql);
    }
  }
}
