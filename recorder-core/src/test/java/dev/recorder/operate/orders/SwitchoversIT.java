package dev.recorder.operate.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.leadership.postgres.JdbcControlSession;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders to hand over, from who gives them to who takes them, on a real server. */
class SwitchoversIT {
  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final int ROUNDS = 30;

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private TestDatabase database;
  private RdsManager manager;
  private JdbcControlSession host;
  private Inspection operator;
  private Switchovers orders;

  @BeforeEach
  void hostAIsActive() throws SQLException {
    database = OneLog.database(OneLog.wanted(1, "orders"));
    manager = new RdsManager(TestSessions.patient(database, "host-a"));
    host =
        new JdbcControlSession(
            manager, new Registration(Set.of(1), Set.of(), "test", "hash", Map.of()));
    host.perform(new ControlAction.Connect(Set.of(1)));
    assertThat(host.perform(new ControlAction.Take(1, null, 0, TakeoverReason.START, "why")))
        .isInstanceOf(ControlAnswer.Taken.class);
    operator = Inspection.open(TestSessions.patient(database, "operator"));
    orders = operator.switchovers();
  }

  @AfterEach
  void close() throws SQLException {
    threads.shutdownNow();
    operator.close();
    host.close();
    manager.close();
    database.close();
  }

  @Test
  void anOrderIsTakenOnceAndItsReceiptHasTheTerm() throws SQLException {
    long id = order("host-b", AN_HOUR).orElseThrow();
    assertThat(request()).isEqualTo("host-b operator");
    assertThat(orders.look(id)).contains(new SwitchoverStanding(OrderState.NEW, 0, "host-a", 1));
    assertThat(orders.open(new RecorderName("orders")))
        .hasValueSatisfying(
            open -> {
              assertThat(open.to()).isEqualTo("host-b");
              assertThat(open.by().toString()).contains("alice", "recorder");
            });

    assertThat(accept("host-b")).isTrue();

    assertThat(orders.look(id)).contains(new SwitchoverStanding(OrderState.TAKEN, 1, "host-a", 1));
    assertThat(orders.open(new RecorderName("orders"))).isEmpty();
    assertThat(orders.withdraw(id)).as("withdrawn when it was taken").isFalse();
    assertThat(accept("host-b")).as("taken twice").isFalse();
  }

  @Test
  void anOrderIsTakenOrWithdrawnAndNeverBoth() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long id = order("host-b", AN_HOUR).orElseThrow();
      CyclicBarrier start = new CyclicBarrier(2);
      Future<Boolean> taken = race(start, () -> accept("host-b"));
      Future<Boolean> withdrawn = race(start, () -> orders.withdraw(id));

      assertThat(taken.get()).isNotEqualTo(withdrawn.get());
      assertThat(orders.look(id).orElseThrow().state())
          .isEqualTo(taken.get() ? OrderState.TAKEN : OrderState.WITHDRAWN);
      assertThat(request()).isEqualTo(taken.get() ? "host-b operator" : "none");
    }
  }

  @Test
  void ofTwoThatOrderAtOnceOneIsServed() throws Exception {
    try (Inspection another = Inspection.open(TestSessions.patient(database, "another"))) {
      for (int round = 0; round < ROUNDS; round++) {
        CyclicBarrier start = new CyclicBarrier(2);
        Future<Optional<Long>> b = race(start, () -> orders.order(wanted("host-b", AN_HOUR)));
        Future<Optional<Long>> c =
            race(start, () -> another.switchovers().order(wanted("host-c", AN_HOUR)));

        assertThat(b.get().isPresent()).isNotEqualTo(c.get().isPresent());
        assertThat(request())
            .isEqualTo(b.get().isPresent() ? "host-b operator" : "host-c operator");
        assertThat(orders.withdraw(b.get().or(() -> result(c)).orElseThrow())).isTrue();
      }
    }
  }

  @Test
  void forATermThatIsOverNothingIsOrderedAndNothingRequested() throws SQLException {
    database.execute("UPDATE recorder.lock_recorders SET epoch = 2");

    assertThat(order("host-b", AN_HOUR)).isEmpty();

    assertThat(request()).isEqualTo("none");
    assertThat(database.number("SELECT count(*) FROM recorder.operator_orders")).isZero();
  }

  @Test
  void whatIsLateIsNotTakenAndStandsInNobodysWay() throws SQLException {
    long late = order("host-b", Duration.ofMillis(1)).orElseThrow();
    database.one("SELECT pg_sleep(0.01)");

    assertThat(accept("host-b")).isFalse();
    assertThat(request()).isEqualTo("none");
    assertThat(order("host-c", AN_HOUR)).isPresent();
    assertThat(orders.look(late).orElseThrow().state()).isEqualTo(OrderState.WITHDRAWN);
  }

  @Test
  void whoWithdrawsForgetsNoRequestButTheirOwn() throws SQLException {
    long id = order("host-b", AN_HOUR).orElseThrow();
    database.execute(
        "UPDATE recorder.lock_recorders SET switch_to = 'host-c', switch_why = 'flip'");

    assertThat(orders.withdraw(id)).isTrue();

    assertThat(request()).isEqualTo("host-c flip");
  }

  @Test
  void theLatestThousandAreKept() throws SQLException {
    database.execute(
        """
        INSERT INTO recorder.operator_orders
          (kind, lock_id, recorder, argument, take_within_ms, os_user, state)
        SELECT 'switchover', 1, 'orders', 'host-b', 1000, 'me', 'taken'
        FROM generate_series(1, %d)
        """
            .formatted(OrderQueue.MOST_KEPT + 5));

    assertThat(order("host-b", AN_HOUR)).isPresent();

    assertThat(database.number("SELECT count(*) FROM recorder.operator_orders"))
        .isEqualTo(OrderQueue.MOST_KEPT + 1);
  }

  @Test
  void whoMayNotReadTheOrdersKeepsTheSession() throws SQLException {
    order("host-b", AN_HOUR);
    database.execute("REVOKE ALL ON recorder.operator_orders FROM " + TestDatabase.ROLE);

    assertThat(host.perform(acceptOf("host-b"))).isInstanceOf(ControlAnswer.Busy.class);
    assertThat(host.perform(new ControlAction.Beat(Set.of(1), Set.of(1), Set.of())))
        .isInstanceOf(ControlAnswer.Renewed.class);
  }

  private Optional<Long> order(String to, Duration within) {
    return orders.order(wanted(to, within));
  }

  private static SwitchoverOrder wanted(String to, Duration within) {
    return new SwitchoverOrder("orders", "host-a", to, 1, within, "alice");
  }

  private boolean accept(String to) {
    return host.perform(acceptOf(to)) instanceof ControlAnswer.Accepted;
  }

  private static ControlAction acceptOf(String to) {
    return new ControlAction.Accept(1, 1, new HandoverRequest(to, HandoverRequest.Why.OPERATOR));
  }

  private String request() throws SQLException {
    return database.one(
        "SELECT coalesce(switch_to || ' ' || switch_why, 'none') FROM recorder.lock_recorders");
  }

  private <T> Future<T> race(CyclicBarrier start, Callable<T> work) {
    return threads.submit(
        () -> {
          start.await();
          return work.call();
        });
  }

  private static Optional<Long> result(Future<Optional<Long>> future) {
    try {
      return future.get();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
