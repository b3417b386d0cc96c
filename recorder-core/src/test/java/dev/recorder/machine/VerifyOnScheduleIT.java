package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogRecords.SettledLog;
import dev.recorder.audit.postgres.AuditSession;
import dev.recorder.audit.schedule.AuditVerdict;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.Sessions;
import dev.recorder.slotlog.Rotation;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.testing.servers.TestSettings;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines on a real database that verify their log by themselves. */
class VerifyOnScheduleIT {
  private static final String NOTHING_ASKED =
      "NOT EXISTS (SELECT FROM recorder.operator_orders WHERE state <> 'done')";

  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final Duration OFTEN = Duration.ofSeconds(1);

  /** It is looked at each second all the same, for orders. */
  private static final Duration SELDOM = Duration.ofSeconds(10);

  private OrdersMachines machines;
  private Inspection operator;

  @BeforeEach
  void open() throws Exception {
    machines = new OrdersMachines();
  }

  @AfterEach
  void close() throws Exception {
    if (operator != null) {
      operator.close();
    }
    machines.close();
  }

  @Test
  void whoIsActiveGoesOnWhereTheLastVerdictEndedAndFaultsStayUntilTheyAreMended() throws Exception {
    RunningMachine a = verifying("host-a", true, OFTEN);
    keepVerdicts();
    record(1, 3, 1);
    awaitVerdict("ok AND whole AND machine = 'host-a' AND to_slot = 1");
    record(4, 2, 2);
    awaitVerdict("ok AND from_slot = 1 AND to_slot = 2");

    verifying("host-b", false, OFTEN);
    a.stop();
    machines.awaitHolder("host-b");
    record(6, 1, 3);
    awaitVerdict("ok AND machine = 'host-b' AND from_slot = 2 AND to_slot = 3");

    String second = OrdersMachines.LAYOUT.slotKey(2);
    Body object = machines.bucket.objects().get(second);
    machines.bucket.delete(second);
    machines.execute("UPDATE recorder.verdicts SET next_from = 2");
    await().until(() -> verdict("NOT ok AND fault_count > 0"));
    assertThat(notes())
        .anySatisfy(note -> assertThat(note.kind()).isEqualTo(Note.NoteKind.VERIFY_FAILED));
    record(7, 1, 4);
    await().until(() -> verdict("NOT ok AND from_slot = 2 AND to_slot = 4"));

    machines.bucket.overwrite(second, object.bytes(), object.metadata());
    awaitVerdict("ok AND from_slot = 2 AND next_from = 4");
    assertThat(notes())
        .noneSatisfy(note -> assertThat(note.kind()).isEqualTo(Note.NoteKind.VERIFY_FAILED));
  }

  @Test
  void theWholeLogIsVerifiedOnRequest() throws Exception {
    verifying("host-a", true, SELDOM);
    record(1, 3, 1);
    record(4, 1, 2);
    await().until(() -> verdict("ok AND to_slot = 2"));
    record(5, 1, 3);
    await().until(() -> verdict("ok AND NOT whole AND from_slot = 2 AND to_slot = 3"));

    operator().verdicts().askForWhole(ORDERS, "alice");
    await().until(() -> verdict("ok AND whole AND to_slot = 3 AND " + NOTHING_ASKED));
    assertThat(last().outcome()).isNotNull();
    assertThat(last().askedBy()).isNull();
  }

  @Test
  void whoAsksAfterOneThatWasBrokenOffDoesNotWaitAsTheScheduleDoes() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    machines.start(new Machine(settings("host-a", true, SELDOM), name -> failingWhile(broken)));
    machines.awaitHolder("host-a");
    record(1, 3, 1);
    await().until(() -> verdict("trouble IS NOT NULL AND ended_at IS NULL"));
    broken.set(false);

    operator().verdicts().askForWhole(ORDERS, "alice");

    await().until(() -> verdict("ok AND whole AND to_slot = 1 AND " + NOTHING_ASKED));
  }

  @Test
  void whatIsUnderWayEndsWithItsTermAndTheNextHostBeginsAnew() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    RunningMachine a =
        machines.start(new Machine(settings("host-a", true, SELDOM), name -> hanging(begun, gate)));
    machines.awaitHolder("host-a");
    record(1, 3, 1);
    await().until(() -> begun.getCount() == 0);
    operator().verdicts().askForWhole(ORDERS, "alice");
    assertThat(verifiers()).isEqualTo(1);

    a.stop();
    await().until(() -> verifiers() == 0);
    assertThat(verdict("ended_at IS NULL AND trouble IS NULL")).isTrue();
    assertThat(last().askedBy()).startsWith("alice (database user ");

    verifying("host-b", true, SELDOM);
    await().until(() -> verdict("ok AND whole AND machine = 'host-b' AND " + NOTHING_ASKED));
    gate.countDown();
  }

  @Test
  void aLogThatIsTakenOffTheScheduleIsNotLate() throws Exception {
    RunningMachine a = verifying("host-a", true, OFTEN);
    record(1, 3, 1);
    await().until(() -> verdict("ok"));
    a.stop();

    verifying("host-a", true, null);
    await().until(() -> verdict("every_ms IS NULL"));
    assertThat(facts().recorders().get(0).verdict()).isNull();
    assertThat(operator().verdicts().isScheduled(ORDERS)).isFalse();
    operator().verdicts().askForWhole(ORDERS, "alice");
    assertThat(machines.database.number("SELECT count(*) FROM recorder.operator_orders")).isZero();
  }

  @Test
  void theVerdictOfATermThatHasEndedIsNotNoted() throws Exception {
    verifying("host-a", true, SELDOM);
    record(1, 3, 1);
    await().until(() -> verdict("ok"));
    Sessions sessions = new Sessions(TestSettings.patient(machines.database), "former");
    UUID log = UUID.fromString(machines.query("SELECT log_uuid FROM recorder.lock_recorders"));
    try (AuditSession former = new AuditSession(sessions, ORDERS, new Term(1, 0, "former", log))) {
      AuditSession.AuditStores stores = former.open();
      stores.verdicts().look();
      SettledLog settled = stores.records().settled();
      AuditResult found =
          new AuditResult("orders", 1, 3, 3, 0, 0, 0, 0, 0, List.of(), 0, List.of());

      assertThat(stores.verdicts().note(new AuditVerdict(1, 1, true, settled, found))).isFalse();
      stores.verdicts().unfinished("it is over");
    }
    assertThat(verdict("machine = 'host-a' AND trouble IS NULL")).isTrue();
  }

  private RunningMachine verifying(String name, boolean primary, @Nullable Duration every)
      throws Exception {
    RunningMachine started =
        machines.start(new Machine(settings(name, primary, every), any -> machines.bucket));
    if (primary) {
      machines.awaitHolder(name);
    }
    return started;
  }

  private MachineSettings settings(String name, boolean primary, @Nullable Duration every) {
    return MachineSettings.of(name, TestSettings.patient(machines.database))
        .timing(TestSettings.PATIENT)
        .log(
            RecorderSettings.of(1, OrdersMachines.LAYOUT)
                .primary(primary)
                .rotation(new Rotation(1_000, 1 << 20))
                .linger(Duration.ofMillis(200))
                .verifyEvery(every)
                .build())
        .build();
  }

  /** The machines' bucket, which answers no verification before the gate opens. */
  private DocumentStore hanging(CountDownLatch begun, CountDownLatch gate) {
    return verifiedBy(
        () -> {
          begun.countDown();
          gate.await();
          return true;
        });
  }

  /** The machines' bucket, which breaks verifications off. */
  private DocumentStore failingWhile(AtomicBoolean broken) {
    return verifiedBy(
        () -> {
          if (broken.get()) {
            throw new IllegalStateException("the bucket is broken");
          }
          return true;
        });
  }

  private DocumentStore verifiedBy(Callable<Boolean> first) {
    return (DocumentStore)
        Proxy.newProxyInstance(
            DocumentStore.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              if (Thread.currentThread().getName().startsWith("verify-")) {
                first.call();
              }
              return method.invoke(machines.bucket, arguments);
            });
  }

  /** As the slot of this number. */
  private void record(int first, int count, int slot) throws Exception {
    machines.insert(first, count);
    await()
        .until(
            () ->
                machines
                    .query("SELECT last_slot FROM recorder.lock_recorders")
                    .equals(Integer.toString(slot)));
  }

  private boolean verdict(String condition) throws SQLException {
    return machines.database.number("SELECT count(*) FROM recorder.verdicts WHERE " + condition)
        == 1;
  }

  /** Each of them: the next one overwrites it soon. */
  private void keepVerdicts() throws SQLException {
    machines.database.execute(
        "CREATE TABLE kept AS SELECT * FROM recorder.verdicts",
        """
        CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
          INSERT INTO public.kept SELECT NEW.*;
          RETURN NULL;
        END $$\
        """,
        "CREATE TRIGGER keep AFTER INSERT OR UPDATE ON recorder.verdicts"
            + " FOR EACH ROW EXECUTE FUNCTION public.keep()");
  }

  private void awaitVerdict(String condition) {
    await(condition)
        .until(() -> machines.database.number("SELECT count(*) FROM kept WHERE " + condition) > 0);
  }

  private long verifiers() throws SQLException {
    return machines.database.number(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'recorder/host-a/query'");
  }

  private Inspection operator() {
    if (operator == null) {
      operator = Inspection.open(new Sessions(TestSettings.patient(machines.database), "cli"));
    }
    return operator;
  }

  private Facts facts() {
    return operator().facts(Duration.ofSeconds(10), 10);
  }

  private LastVerdict last() {
    LastVerdict last = facts().recorders().get(0).verdict();
    assertThat(last).isNotNull();
    return last;
  }

  private List<Note> notes() {
    return Notes.of(facts(), new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 1));
  }
}
