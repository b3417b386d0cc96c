package dev.recorder.operate;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.Machine;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.SlotRange;
import dev.recorder.operate.site.Takeover;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.RecorderRow;
import dev.recorder.schema.Schema;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators see of a machine that ran, and the proof of what it wrote, on a real database. */
class InspectionIT {
  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final LogLayout LAYOUT =
      new LogLayout("", "bucket", "prod", ORDERS, Compression.GZIP);
  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final int MOST = 1_000_000;

  private final MemoryStore bucket = new MemoryStore();
  private TestDatabase database;
  private Inspection inspection;
  private Machine machine;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Future<?> running;

  @BeforeEach
  void open() throws Exception {
    database = TestDatabase.createOwned();
    inspection = Inspection.open(sessions());
  }

  @AfterEach
  void close() throws Exception {
    stopMachine();
    threads.shutdownNow();
    inspection.close();
    database.close();
  }

  @Test
  void aDatabaseWithoutTablesHasNoVersion() {
    assertThat(inspection.schemaVersion()).isEmpty();
    assertThatThrownBy(() -> inspection.recorders(MOST))
        .isInstanceOfSatisfying(
            DatabaseException.class, e -> assertThat(e.kind()).isEqualTo(DatabaseErrorKind.FAILED));
  }

  @Test
  void aRunningMachineIsAliveAndHoldsItsRecorder() throws Exception {
    startMachine();
    insert(300);
    awaitNoBacklog();
    await().until(() -> machines().get(0).active().equals(List.of(7)));

    MachineStatus status = machines().get(0);
    RecorderStatus orders = recorders().get(0);

    assertThat(inspection.schemaVersion()).contains(Schema.VERSION);
    assertThat(status.name()).isEqualTo("host-a");
    assertThat(status.alive()).isTrue();
    assertThat(status.primaries()).isEqualTo(1);
    assertThat(status.active()).containsExactly(7);
    assertThat(status.able()).containsExactly(7);
    assertThat(orders.name()).isEqualTo("orders");
    assertThat(orders.lockId()).isEqualTo(7);
    assertThat(orders.kind()).isEqualTo("log");
    assertThat(orders.holder()).isEqualTo("host-a");
    assertThat(orders.epoch()).isEqualTo(1);
    assertThat(orders.lastSlot()).isPositive();
    assertThat(orders.lastSettledAt()).isNotNull();
    assertThat(inspection.lockHolder(7))
        .hasValueSatisfying(
            holder -> assertThat(holder.application()).isEqualTo("recorder/host-a/control"));
  }

  @Test
  void rowsOfSlotsAreCountedOnceHoweverOftenTheSlotWasPlanned() throws Exception {
    startMachine();
    insert(300);
    awaitNoBacklog();
    long last = recorders().get(0).lastSlot();
    database.execute(
        "INSERT INTO recorder.slots SELECT lock_id, slot, 'other', epoch, writer, window_from,"
            + " window_to, window_complete, row_count, first_xid, first_id, last_xid, last_id,"
            + " bytes, planned_at FROM recorder.slots");

    assertThat(inspection.recordedRows(List.of(new SlotRange(7, 0, last))))
        .isEqualTo(Map.of(7, 300L));
    assertThat(inspection.recordedRows(List.of(new SlotRange(7, last, last + 9)))).isEmpty();
    assertThat(inspection.recordedRows(List.of(new SlotRange(8, 0, last)))).isEmpty();
    assertThat(inspection.recordedRows(List.of())).isEmpty();
  }

  @Test
  void aStoppedMachineIsNotAliveAndItsRowsWait() throws Exception {
    startMachine();
    insert(10);
    awaitNoBacklog();
    stopMachine();
    insert(25);

    await()
        .until(() -> !machines().get(0).alive()); // The server ends its session after it has gone.
    RecorderStatus orders = recorders().get(0);
    assertThat(orders.holder()).isNull();
    assertThat(orders.backlog()).isEqualTo(new RecorderStatus.Backlog(25, false));
    assertThat(inspection.recorders(24).get(0).backlog())
        .isEqualTo(new RecorderStatus.Backlog(24, true));
    assertThat(inspection.recorders(25).get(0).backlog())
        .isEqualTo(new RecorderStatus.Backlog(25, false));
    assertThat(inspection.lockHolder(7)).isEmpty();
    assertThat(inspection.tryLocks()).isTrue();
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN time TYPE date");
    assertThat(recorders().get(0).backlog()).as("unknown, and all else is told").isNull();
  }

  @Test
  void theBacklogOfAnOpenWindowIsItsRestAndWhatCameAfter() throws Exception {
    startMachine();
    insert(10);
    awaitNoBacklog();
    stopMachine();
    insert(40);
    insert(3);
    // As after a slot that took only the first ten rows of the window.
    database.execute(
        "UPDATE recorder.lock_recorders SET open_snapshot = pg_current_snapshot(),"
            + " open_xid = (SELECT xid FROM handoff.orders WHERE id = 20), open_id = 20");
    insert(5);

    assertThat(recorders().get(0).backlog()).isEqualTo(new RecorderStatus.Backlog(38, false));
  }

  @Test
  void takeoversAreTheLatestFirst() throws Exception {
    startMachine();
    stopMachine();
    startMachine();
    stopMachine();

    List<Takeover> takeovers = inspection.takeovers(Optional.of(ORDERS), 10);

    assertThat(takeovers).extracting(Takeover::reason).containsExactly("released", "start");
    assertThat(takeovers.get(0).from()).isEqualTo("host-a");
    assertThat(takeovers.get(0).toEpoch()).isEqualTo(2);
    assertThat(takeovers.get(0).gapMillis()).isNotNull();
    assertThat(takeovers.get(1).from()).isNull();
    assertThat(takeovers.get(1).gapMillis()).isNull();
    assertThat(inspection.takeovers(Optional.empty(), 1)).hasSize(1);
    assertThat(inspection.takeovers(Optional.of(new RecorderName("others")), 10)).isEmpty();
  }

  @Test
  void aLogIsProvedWhileItIsWritten() throws Exception {
    startMachine();
    AtomicBoolean enough = new AtomicBoolean();
    List<Future<?>> producers =
        List.of(produce(0, enough), produce(20, enough), produce(40, enough));
    long slots = 0;
    try {
      for (int i = 0; i < 5; i++) {
        AuditResult verdict = verify();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.compared()).isEqualTo(verdict.rows());
        slots = verdict.slots();
        Thread.sleep(300);
      }
    } finally {
      enough.set(true);
      for (Future<?> producer : producers) {
        producer.get();
      }
    }
    awaitNoBacklog();

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.slots()).isGreaterThan(slots);
    assertThat(database.one("SELECT count(*) FROM handoff.orders"))
        .isEqualTo(Long.toString(verdict.rows()));
    assertThat(verdict.compared()).isEqualTo(verdict.rows());
  }

  @Test
  void aWindowLongerThanAPageIsReadWhole() throws Exception {
    startMachine();
    stopMachine();
    insert(120_000);
    database.execute("UPDATE recorder.lock_recorders SET done_snapshot = pg_current_snapshot()");

    assertThat(verify().lost()).isEqualTo(120_000);
  }

  @Test
  void damageIsFound() throws Exception {
    startMachine();
    for (int i = 0; i < 4; i++) {
      insert(50);
      awaitNoBacklog();
    }
    stopMachine();
    assertThat(verify().ok()).isTrue();
    long last = inspection.recorder(ORDERS).orElseThrow().head().lastSlot();
    assertThat(last).isGreaterThanOrEqualTo(4);

    bucket.delete(LAYOUT.slotKey(2));
    database.execute("DELETE FROM recorder.slots WHERE slot = 4");
    AuditResult verdict = verify();

    assertThat(verdict.ok()).isFalse();
    assertThat(verdict.gaps()).isEqualTo(1);
    assertThat(verdict.lost()).isPositive();
    assertThat(verdict.hashMismatches()).isEqualTo(1);
    assertThat(verdict.duplicated()).isZero();
    assertThat(verdict.outOfOrder()).isZero();
    assertThat(verdict.findings())
        .anyMatch(finding -> finding.contains(LAYOUT.slotKey(2)))
        .anyMatch(finding -> finding.contains("no row of slots"));
  }

  @Test
  void aRowThatThePositionCoversAndNoSlotHoldsIsLost() throws Exception {
    startMachine();
    insert(20);
    awaitNoBacklog();
    stopMachine();
    insert(3);
    database.execute("UPDATE recorder.lock_recorders SET done_snapshot = pg_current_snapshot()");

    AuditResult verdict = verify();

    assertThat(verdict.lost()).isEqualTo(3);
    assertThat(verdict.gaps()).isEqualTo(1);
  }

  // ---- helpers

  private AuditResult verify() throws Exception {
    RecorderRow row = inspection.recorder(ORDERS).orElseThrow();
    try (StoredRows rows = StoredRows.open(sessions(), ORDERS, row.lockId())) {
      return new LogVerifier(
              bucket, row.layout().of(ORDERS), inspection.records(ORDERS, row.lockId()), rows)
          .verify(1);
    }
  }

  private List<MachineStatus> machines() {
    return inspection.machines(FRESH);
  }

  private List<RecorderStatus> recorders() {
    return inspection.recorders(MOST);
  }

  private void startMachine() {
    machine =
        new Machine(
            MachineSettings.of("host-a", TestSettings.patient(database))
                .version("test")
                .hashes("hash", Map.of("timing", "hash"))
                .timing(TestSettings.PATIENT)
                .log(
                    RecorderSettings.of(7, LAYOUT)
                        .primary(true)
                        .rotation(new Rotation(1_000, 1 << 20))
                        .linger(Duration.ofMillis(50))
                        .build())
                .build(),
            recorder -> bucket);
    Machine started = machine;
    running =
        threads.submit(
            () -> {
              started.run();
              return null;
            });
    await().ignoreExceptions().until(() -> "host-a".equals(recorders().get(0).holder()));
  }

  private void stopMachine() throws Exception {
    if (machine != null) {
      machine.stop();
      running.get();
    }
  }

  private void awaitNoBacklog() {
    await().until(() -> new RecorderStatus.Backlog(0, false).equals(recorders().get(0).backlog()));
  }

  /** A producer whose transactions overlap with those of others; some are rolled back. */
  private Future<?> produce(long pauseMillis, AtomicBoolean enough) {
    return threads.submit(
        () -> {
          try (Connection connection = database.connect();
              Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int n = 0; !enough.get(); n++) {
              statement.execute(
                  "INSERT INTO handoff.orders (key, payload)"
                      + " SELECT i, '{\"a\":\n1}' FROM generate_series(1, 20) i");
              Thread.sleep(pauseMillis);
              if (n % 5 == 4) {
                connection.rollback();
              } else {
                connection.commit();
              }
            }
            connection.rollback();
          }
          return null;
        });
  }

  private void insert(int rows) throws SQLException {
    database.execute(
        "INSERT INTO handoff.orders (key, payload) SELECT i, '{}' FROM generate_series(1, %d) i"
            .formatted(rows));
  }

  private Sessions sessions() {
    return TestSessions.patient(database, "operator");
  }
}
