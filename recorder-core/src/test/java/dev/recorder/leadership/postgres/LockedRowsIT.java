package dev.recorder.leadership.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Failback;
import dev.recorder.leadership.Signal;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.leadership.Timing;
import dev.recorder.leadership.WriteLease;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stranger's transaction has rows or tables locked that machines need to become active. */
class LockedRowsIT {
  private static final int ORDERS = 1;
  private static final int INVOICES = 2;

  private final List<Signal> signals = new ArrayList<>();
  private TestDatabase database;
  private RdsManager manager;
  private JdbcControlSession session;
  private Connection stranger;
  private Coordinator coordinator;

  @BeforeEach
  void open() throws Exception {
    database =
        OneLog.database(OneLog.wanted(ORDERS, "orders"), OneLog.wanted(INVOICES, "invoices"));
    manager = new RdsManager(TestSessions.of(database, "b"));
    session = session(manager, Set.of());
    stranger = database.connect();
    stranger.setAutoCommit(false);
    Ticker ticker = Ticker.system();
    coordinator =
        new Coordinator(
            "b",
            Timing.DEFAULT,
            List.of(
                new Candidacy(ORDERS, "orders", false, Failback.AUTO),
                new Candidacy(INVOICES, "invoices", false, Failback.AUTO)),
            new WriteLease(ticker),
            ticker.nanos());
  }

  @AfterEach
  void close() throws Exception {
    manager.close();
    stranger.close();
    database.close();
  }

  @Test
  void whoHasTheRowOfADeadHostLockedIsNamedByTheOneThatWouldTakeItsPlace() throws Exception {
    try (RdsManager managerOfA = new RdsManager(TestSessions.patient(database, "a"))) {
      JdbcControlSession a = session(managerOfA, Set.of());
      a.perform(new ControlAction.Connect(Set.of(ORDERS, INVOICES)));
      for (int lockId : List.of(ORDERS, INVOICES)) {
        assertThat(a.perform(new ControlAction.Take(lockId, null, 0, TakeoverReason.START, "why")))
            .isInstanceOf(ControlAnswer.Taken.class);
      }
    }
    String pid = locked("SELECT pg_backend_pid() FROM recorder.lock_recorders WHERE lock_id = 1");
    coordinator.setUnable(ORDERS, null, Ticker.system().nanos());
    coordinator.setUnable(INVOICES, null, Ticker.system().nanos());

    awaitSignal(Signal.Blocked.class);
    assertThat(signals)
        .anySatisfy(signal -> assertThat(signal.toString()).contains(inTheWay(pid)))
        .anyMatch(signal -> isBeginning(signal, INVOICES))
        .noneMatch(signal -> isBeginning(signal, ORDERS));

    stranger.rollback();
    await().until(() -> turns().stream().anyMatch(signal -> isBeginning(signal, ORDERS)));
  }

  @Test
  void whoHasTheMachinesLockedIsNamedByTheOneThatStartsAndNotTakenForAnotherOfItsName()
      throws Exception {
    String pid = locked("SELECT pg_backend_pid() FROM (SELECT 1) AS one");
    try (Statement lock = stranger.createStatement()) {
      lock.execute("LOCK recorder.info_recorders IN EXCLUSIVE MODE");
    }

    awaitSignal(Signal.Blocked.class);
    assertThat(signals)
        .singleElement()
        .satisfies(signal -> assertThat(signal.toString()).contains(inTheWay(pid)));

    stranger.rollback();
    awaitSignal(Signal.Up.class);
  }

  @Test
  void soIsWhoHasTheRowOfARecorderLockedWhosePrimaryItHasBecome() throws Exception {
    awaitSignal(Signal.Up.class);
    session.close();
    session = session(manager, Set.of(ORDERS));
    String pid = locked("SELECT pg_backend_pid() FROM recorder.lock_recorders WHERE lock_id = 1");

    ControlAnswer answer = session.perform(new ControlAction.Connect(Set.of(ORDERS)));
    assertThat(answer).isInstanceOf(ControlAnswer.Busy.class);
    assertThat(manager.isConnected()).isFalse();
    assertThat(answer.toString()).contains("SQLSTATE 55P03");
    // It is named once its transaction is a second old.
    await()
        .until(
            () -> session.perform(new ControlAction.Connect(Set.of(ORDERS))).toString(),
            why -> why.contains(inTheWay(pid)));
  }

  private static String inTheWay(String pid) {
    return "; blocked by database session " + pid + " (";
  }

  /** In the stranger's transaction, which stays open. */
  private String locked(String query) throws SQLException {
    try (Statement lock = stranger.createStatement();
        ResultSet row = lock.executeQuery(query + " FOR UPDATE")) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  private void awaitSignal(Class<? extends Signal> kind) {
    await().until(() -> turns().stream().anyMatch(kind::isInstance));
  }

  /** All that the coordinator wants to do now; gives all signals up to here. */
  private List<Signal> turns() {
    Ticker ticker = Ticker.system();
    for (long now = ticker.nanos(); ; now = ticker.nanos()) {
      ControlAction action = coordinator.next(now);
      if (action instanceof ControlAction.Rest) {
        return signals;
      }
      signals.addAll(coordinator.on(action, now, session.perform(action), ticker.nanos()));
    }
  }

  private static boolean isBeginning(Signal signal, int lockId) {
    return signal instanceof Signal.TermBegun begun && begun.term().lockId() == lockId;
  }

  private static JdbcControlSession session(RdsManager manager, Set<Integer> primaryFor) {
    return new JdbcControlSession(
        manager,
        new Registration(
            Set.of(ORDERS, INVOICES), primaryFor, "test", "hash", Map.of("timing", "0")));
  }
}
