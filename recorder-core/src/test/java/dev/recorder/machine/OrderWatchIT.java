package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.machine.chores.OrderWatch;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.operate.orders.OrderQueue.OrderStanding;
import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.operate.orders.OrderRequest;
import dev.recorder.postgres.TestSessions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A machine in this JVM that is ordered to reload through the database. */
class OrderWatchIT {
  private final List<String> carriedOut = new CopyOnWriteArrayList<>();
  private OrdersMachines machines;
  private Inspection operator;

  @BeforeEach
  void start() throws Exception {
    machines = new OrdersMachines();
    Machine machine =
        new Machine(machines.settings("host-a", true, null), recorder -> machines.bucket);
    machine.reloadBy(
        order -> {
          carriedOut.add(order.argument());
          if (order.argument().equals("bug")) {
            throw new IllegalStateException("as a test wants it");
          } else if (order.argument().equals("cut")) {
            loseTheSession();
          }
          return "{\"file\": \"" + order.argument() + "\"}";
        });
    machines.start(machine);
    machines.awaitHolder("host-a");
    operator = Inspection.open(TestSessions.patient(machines.database, "operator"));
  }

  @AfterEach
  void stop() throws Exception {
    operator.close();
    machines.close();
  }

  @Test
  void ordersAreCarriedOutOneAfterTheOther() {
    long first = ask("one");
    long second = ask("two");

    assertThat(done(first).answer()).isEqualTo("{\"file\": \"one\"}");
    assertThat(done(second).answer()).isEqualTo("{\"file\": \"two\"}");
    assertThat(carriedOut).containsExactly("one", "two");
  }

  @Test
  void anOrderThatFailsUnforeseenIsAnsweredAndKeepsNobodyFromTheNext() throws Exception {
    long first = ask("bug");
    long second = ask("two");

    assertThat(done(second).answer()).isEqualTo("{\"file\": \"two\"}");
    assertThat(HostAnswer.parse(done(first).answer()).orElseThrow().error())
        .startsWith("bug: it could not be carried out")
        .endsWith("as a test wants it");
    machines.insert(1, 10);
    await().until(() -> machines.recorded().size() == 10);
  }

  @Test
  void theAnswerComesOnTheNextSessionIfTheOneOfTheOrderIsLost() throws Exception {
    long order = ask("cut");

    assertThat(done(order).answer()).isEqualTo("{\"file\": \"cut\"}");
    // The answer may be written before the first heartbeat of the next session.
    await().until(() -> !operator.orders().look(order).orElseThrow().sameSession());
    assertThat(carriedOut).containsExactly("cut");
  }

  @Test
  void ordersThatMayNotBeReadAreSaidOnceAndTakenOnceTheyMayBeWithoutARestart() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.list = new CopyOnWriteArrayList<>(); // The machine writes it while the test reads.
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(OrderWatch.class);
    logger.addAppender(log);
    try {
      machines.execute("REVOKE SELECT ON recorder.operator_orders FROM recorder");
      await().until(() -> !log.list.isEmpty());
      machines.execute("GRANT SELECT ON recorder.operator_orders TO recorder");

      done(ask("one"));
      assertThat(log.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly(
              "orders in recorder.operator_orders are not taken, retrying: ERROR: permission denied"
                  + " for table operator_orders (SQLSTATE 42501); 'recorder check --online' prints"
                  + " the rights that are missing");
    } finally {
      logger.detachAppender(log);
    }
  }

  private void loseTheSession() {
    try {
      machines.execute(
          """
          SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
          WHERE application_name = 'recorder/host-a/control' AND datname = current_database()
          """);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long ask(String file) {
    return operator
        .orders()
        .ask(
            new OrderRequest(OrderKind.RELOAD, "host-a", "", file, Duration.ofMinutes(10), "alice"))
        .orElseThrow();
  }

  private OrderStanding done(long id) {
    await().until(() -> operator.orders().look(id).orElseThrow().state() == OrderState.DONE);
    return operator.orders().look(id).orElseThrow();
  }
}
