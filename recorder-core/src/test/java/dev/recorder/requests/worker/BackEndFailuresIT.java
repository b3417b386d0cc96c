package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.Supervision;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What fails unforeseen on the threads that process requests. */
class BackEndFailuresIT {
  private static final BackEndSettings SETTINGS = Accounts.settings(1, A_MINUTE);

  private final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
  private final Error fatal = new NoClassDefFoundError("com/example/Gone");
  private final AtomicReference<Throwable> next = new AtomicReference<>();
  private final MemoryStore bucket = new MemoryStore();
  private volatile boolean leavesInterrupts;
  private volatile boolean endsSessions;
  private Accounts.Hosted accounts;

  @BeforeEach
  void start() throws Exception {
    DocumentStore store = Accounts.failing(bucket, this::failure);
    accounts = new Accounts.Hosted(store, MemoryBudget.unlimited(), Supervision.by(told::add));
  }

  @AfterEach
  void stop() throws Exception {
    accounts.close();
  }

  @Test
  void anErrorOfAWorkerIsToldAndNotWorkedOn() throws Exception {
    accounts.add(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    next.set(fatal);
    accounts.insert("create", "y", "{}");

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anExceptionInTheCheckOfTheStoreIsTriedAgain() throws Exception {
    next.set(new IllegalStateException("a bug"));
    accounts.add(SETTINGS);
    accounts.insert("create", "x", "{}");

    accounts.awaitComplete(1);
    assertThat(next).hasNullValue();
    assertThat(told).isEmpty();
  }

  /** As a store's client may leave one. */
  @Test
  void anInterruptThatIsLeftInTheCheckOfTheStoreOrByAUnitEndsNoWorker() throws Exception {
    leavesInterrupts = true;
    next.set(new IllegalStateException("a bug"));
    accounts.add(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    next.set(new IllegalStateException("another bug"));
    accounts.insert("create", "y", "{}");

    accounts.awaitComplete(2);
    assertThat(told).isEmpty();
  }

  @Test
  void anErrorInTheCheckOfTheStoreIsTold() throws Exception {
    next.set(fatal);
    accounts.add(SETTINGS);

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anErrorOfTheListenerIsTold() throws Exception {
    try (RequestMaintenance maintenance =
        maintenance(
            () -> {
              throw fatal;
            })) {
      maintenance.start();
      assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
    }
  }

  @Test
  void theListenerGoesOnAfterAnException() {
    AtomicInteger calls = new AtomicInteger();
    try (RequestMaintenance maintenance =
        maintenance(
            () -> {
              calls.incrementAndGet();
              throw new IllegalStateException("a bug");
            })) {
      maintenance.start();
      await().until(() -> calls.get() > 1);
      assertThat(told).isEmpty();
    }
  }

  @Test
  void aStrangerWhoHoldsAnEntityThatWaitsIsNamedAndWhenItIsOver() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(RequestMaintenance.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.list = new CopyOnWriteArrayList<>(); // the maintenance writes it while the test reads
    lines.start();
    logger.addAppender(lines);
    try (Connection stranger = accounts.database.connectAsSuperuser();
        Statement statement = stranger.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_lock(hashtextextended('x', "
              + SchemaNames.DEFAULT.entityLockSeed(Accounts.LOCK_ID)
              + "))");
      accounts.add(SETTINGS);
      accounts.insert("create", "x", "{}");

      await()
          .until(
              () ->
                  lines.list.stream()
                      .anyMatch(
                          line ->
                              line.getFormattedMessage()
                                  .matches(
                                      "entity x of accounts is held by a foreign"
                                          + " session.*database session \\d+ of role postgres,"
                                          + " application 'PostgreSQL JDBC"
                                          + " Driver'.*pg_terminate_backend.*")));
    }

    accounts.awaitComplete(1);
    await()
        .until(
            () ->
                lines.list.stream()
                    .anyMatch(
                        line ->
                            line.getFormattedMessage()
                                .startsWith("entity x of accounts is free again; it was held by")));
    logger.detachAppender(lines);
  }

  private RequestMaintenance maintenance(Supplier<Collection<BackEndSettings>> recorders) {
    RequestMaintenance.MaintenanceOwner owner =
        new RequestMaintenance.MaintenanceOwner() {
          @Override
          public Collection<BackEndSettings> recorders() {
            return recorders.get();
          }

          @Override
          public boolean mayClear(BackEndSettings recorder) {
            return true;
          }

          @Override
          public void notified(String recorder) {}
        };
    return new RequestMaintenance(
        accounts.sessions, Duration.ofSeconds(2), owner, Supervision.by(told::add));
  }

  /** As a limit of the server's does, or an administrator's script. */
  @Test
  void aRequestUnderWhichEachSessionEndsIsNotBegunForever() throws Exception {
    accounts.add(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    endsSessions = true;
    accounts.insert("create", "y", "{}");

    await()
        .until(
            () ->
                accounts
                    .text("SELECT error_text FROM handoff.accounts WHERE entity_id = 'y'")
                    .startsWith("given up: 3 processes died, or were cut off"));
    endsSessions = false;
    accounts.insert("create", "z", "{}");
    accounts.awaitComplete(2);
    assertThat(told).isEmpty();
  }

  private void endSessions() {
    try {
      accounts.database.execute(
          "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname ="
              + " current_database() AND application_name = 'recorder/host-a/data'");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Throwable failure(Method method, Object[] arguments) {
    if (endsSessions && method.getName().equals("putIfAbsent")) {
      endSessions();
    }
    if (method.getDeclaringClass() == Object.class) {
      return null;
    }
    Throwable failure = next.getAndSet(null);
    if (failure != null && leavesInterrupts) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }
}
