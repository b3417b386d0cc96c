package dev.recorder.operate.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.OrderQueue.OrderStanding;
import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.OneLog;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both ends of orders to machines, on a real server, without a machine. */
class OrderQueueIT {
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private static final Set<OrderKind> RELOADS = EnumSet.of(OrderKind.RELOAD, OrderKind.COMPARE);

  private final MachineOrders orders = new MachineOrders(SchemaNames.DEFAULT);
  private TestDatabase database;
  private RdsManager host;
  private Inspection operator;

  @BeforeEach
  void open() throws Exception {
    database = OneLog.database(OneLog.wanted(1, "orders"));
    host = new RdsManager(TestSessions.patient(database, "host-a"));
    operator = Inspection.open(TestSessions.patient(database, "host-a"));
    register();
  }

  @AfterEach
  void close() throws Exception {
    operator.close();
    host.close();
    database.close();
  }

  @Test
  void anOrderIsTakenOnceAndAnswered() {
    long id = ask(OrderKind.COMPARE).orElseThrow();
    assertThat(standing(id)).isEqualTo(new OrderStanding(OrderState.NEW, null, true));

    MachineOrder taken = take().orElseThrow();

    assertThat(taken.id()).isEqualTo(id);
    assertThat(taken.kind()).isEqualTo(OrderKind.COMPARE);
    assertThat(taken.argument()).isEqualTo("/etc/recorder/recorder.ini");
    assertThat(take()).isEmpty();
    assertThat(standing(id).state()).isEqualTo(OrderState.TAKEN);
    assertThat(answer(id, "{\"n\": 1}")).isTrue();
    assertThat(answer(id, "{\"n\": 2}")).as("a second answer").isFalse();
    assertThat(standing(id)).isEqualTo(new OrderStanding(OrderState.DONE, "{\"n\": 1}", true));
  }

  @Test
  void whoAskedIsAsTheServerSeesItAndTheirNameCannotBreakALine() {
    operator.orders().ask(order(OrderKind.RELOAD, "host-a", "eve\nERROR all is lost\u202e"));

    assertThat(take().orElseThrow().by())
        .hasToString("eve?ERROR all is lost? (database user recorder, from 127.0.0.1)");
  }

  @Test
  void whatAFormerSessionWasAskedNobodyTakes() throws Exception {
    long before = ask(OrderKind.RELOAD).orElseThrow();
    RdsManager.Identity former = host.identity();
    register();

    assertThat(take()).isEmpty();
    assertThat(host.<Optional<MachineOrder>>call(c -> orders.take(c, RELOADS, "host-a", former)))
        .isEmpty();
    assertThat(standing(before)).isEqualTo(new OrderStanding(OrderState.NEW, null, false));
    long after = ask(OrderKind.RELOAD).orElseThrow();
    assertThat(take().orElseThrow().id()).isEqualTo(after);
  }

  @Test
  void anOrderIsNotTakenAfterItsTimeAlsoIfWhoAskedHasDied() throws Exception {
    long late = ask(OrderKind.RELOAD).orElseThrow();
    database.execute(
        "UPDATE recorder.operator_orders SET asked_at = asked_at - interval '1 minute'");

    assertThat(take()).isEmpty();
    ask(OrderKind.RELOAD);
    assertThat(standing(late).state()).isEqualTo(OrderState.WITHDRAWN);
  }

  @Test
  void itIsEitherTakenOrWithdrawnNeverBoth() {
    long first = ask(OrderKind.RELOAD).orElseThrow();
    assertThat(operator.orders().withdraw(first)).isTrue();
    assertThat(take()).isEmpty();

    long second = ask(OrderKind.RELOAD).orElseThrow();
    assertThat(take()).isPresent();
    assertThat(operator.orders().withdraw(second)).isFalse();
    assertThat(standing(second).state()).isEqualTo(OrderState.TAKEN);
  }

  @Test
  void whatAMachineHasNoHandlerForItDoesNotTake() {
    long drain = ask(OrderKind.DRAIN).orElseThrow();
    long reload = ask(OrderKind.RELOAD).orElseThrow();

    assertThat(take().orElseThrow().id()).isEqualTo(reload);
    assertThat(take()).isEmpty();
    assertThat(standing(drain).state()).isEqualTo(OrderState.NEW);
  }

  @Test
  void ordersThatSomebodyElseIsTakingAreNotWaitedFor() throws Exception {
    ask(OrderKind.RELOAD);
    long second = ask(OrderKind.RELOAD).orElseThrow();
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT FROM recorder.operator_orders ORDER BY id LIMIT 1 FOR UPDATE");
      assertThat(take().orElseThrow().id()).isEqualTo(second);
    }
  }

  @Test
  void noMoreThanTwentyWaitForAMachine() {
    for (int i = 0; i < OrderQueue.MOST_WAITING; i++) {
      assertThat(ask(OrderKind.RELOAD)).isPresent();
    }
    assertThat(ask(OrderKind.RELOAD)).isEmpty();
    take();
    assertThat(ask(OrderKind.RELOAD)).isPresent();
  }

  @Test
  void theLatestThousandAreKept() throws Exception {
    database.execute(
        """
        INSERT INTO recorder.operator_orders
          (kind, machine, pid, backend_start, take_within_ms, os_user, state)
        SELECT 'reload', 'host-b', 1, now(), 1, '', 'done' FROM generate_series(1, 1500)
        """);
    ask(OrderKind.RELOAD);
    assertThat(database.number("SELECT count(*) FROM recorder.operator_orders"))
        .isEqualTo(OrderQueue.MOST_KEPT + 1);
  }

  @Test
  void aMachineThatNeverRegisteredCannotBeAsked() {
    assertThat(operator.orders().ask(order(OrderKind.RELOAD, "host-x", "alice"))).isEmpty();
  }

  @Test
  void theRoleOfTheMachinesCannotSayWhoAsked() throws Exception {
    try (TestDatabase administered = TestDatabase.create()) {
      administered.execute(new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of()));
      String columns = "kind, machine, pid, backend_start, argument, take_within_ms, os_user";
      String values = "'reload', 'host-a', 1, now(), '', 1, 'alice'";
      try (Connection connection = TestSessions.of(administered, "host-a").openForQueries();
          Statement statement = connection.createStatement()) {
        String insert = "INSERT INTO recorder.operator_orders (%s) VALUES (%s)";
        statement.execute(insert.formatted(columns, values));
        assertThatThrownBy(
                () ->
                    statement.execute(
                        insert.formatted(columns + ", asked_by", values + ", 'admin'")))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
        assertThatThrownBy(
                () -> statement.execute("UPDATE recorder.operator_orders SET asked_by = 'admin'"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
        statement.execute("UPDATE recorder.operator_orders SET state = 'taken', answer = '{}'");
        statement.execute("DELETE FROM recorder.operator_orders");
      }
    }
  }

  /** On a new session, as a machine that lost its own. */
  private void register() throws SQLException {
    RdsManager.Identity identity = host.connect();
    database.execute(
        """
        INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,
          backend_start, version, config_hash)
        VALUES ('host-a', now(), 1, 0, %d, '%s', '', '')
        ON CONFLICT (name) DO UPDATE SET pid = excluded.pid, backend_start = excluded.backend_start
        """
            .formatted(identity.pid(), identity.backendStart()));
  }

  private Optional<Long> ask(OrderKind kind) {
    return operator.orders().ask(order(kind, "host-a", "alice"));
  }

  private static OrderRequest order(OrderKind kind, String machine, String osUser) {
    return new OrderRequest(kind, machine, "", "/etc/recorder/recorder.ini", A_MINUTE, osUser);
  }

  private Optional<MachineOrder> take() {
    RdsManager.Identity identity = host.identity();
    return host.call(c -> orders.take(c, RELOADS, "host-a", identity));
  }

  private boolean answer(long id, String json) {
    return host.call(c -> orders.answer(c, id, json));
  }

  private OrderStanding standing(long id) {
    return operator.orders().look(id).orElseThrow();
  }
}
