package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.s3.StoreProbes;
import dev.recorder.schema.Setup;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import dev.recorder.testing.TestSettings;
import dev.recorder.time.Supervision;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails unforeseen on the threads that process requests. */
class BackEndFailuresIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final BackEndSettings ACCOUNTS =
      new BackEndSettings(
          5,
          1,
          "",
          Duration.ofSeconds(60),
          20,
          Duration.ofHours(1),
          new DocumentLayout("", "bucket", "p", new RecorderName("accounts")),
          16 << 20);

  private final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
  private final Error fatal = new NoClassDefFoundError("com/example/Gone");
  private final AtomicReference<Throwable> next = new AtomicReference<>();
  private final MemoryStore bucket = new MemoryStore();
  private TestDatabase database;
  private Sessions sessions;
  private RdsManager manager;
  private BackEnds backEnds;
  private Setup.Row row;

  @BeforeEach
  void start() throws Exception {
    database = TestDatabase.createOwned();
    sessions = new Sessions(TestSettings.patient(database), "host-a");
    manager = new RdsManager(sessions);
    manager.connect();
    row = new Setup(manager).run(List.of(ACCOUNTS.wanted())).get(0);
    Handlings handlings = new Handlings(recorder -> store(), new StoreProbes(), manager);
    backEnds =
        new BackEnds(
            sessions,
            handlings,
            MemoryBudget.unlimited(),
            Duration.ofSeconds(2),
            Supervision.by(told::add));
    backEnds.registered(true);
  }

  @AfterEach
  void stop() throws Exception {
    backEnds.close();
    manager.close();
    database.close();
  }

  @Test
  void anErrorOfAWorkerIsToldAndNotWorkedOn() throws Exception {
    backEnds.hire(ACCOUNTS, row);
    await().atMost(SOON).until(this::isSettledAfterInsert);
    next.set(fatal);
    insert();

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anExceptionInTheCheckOfTheStoreIsTriedAgain() throws Exception {
    next.set(new IllegalStateException("a bug"));
    backEnds.hire(ACCOUNTS, row);
    insert();

    await().atMost(SOON).until(this::allSettled);
    assertThat(next).hasNullValue();
    assertThat(told).isEmpty();
  }

  @Test
  void anErrorInTheCheckOfTheStoreIsTold() throws Exception {
    next.set(fatal);
    backEnds.hire(ACCOUNTS, row);

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anErrorOfTheListenerIsTold() throws Exception {
    try (Caretaker caretaker = caretaker(fatal, new AtomicInteger())) {
      caretaker.start();
      assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
    }
  }

  @Test
  void theListenerGoesOnAfterAnException() {
    AtomicInteger calls = new AtomicInteger();
    try (Caretaker caretaker = caretaker(new IllegalStateException("a bug"), calls)) {
      caretaker.start();
      await().atMost(SOON).until(() -> calls.get() > 1);
      assertThat(told).isEmpty();
    }
  }

  private Caretaker caretaker(Throwable failure, AtomicInteger calls) {
    return new Caretaker(
        sessions,
        Duration.ofSeconds(2),
        () -> {
          calls.incrementAndGet();
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        },
        name -> {},
        Supervision.by(told::add));
  }

  private DocumentStore store() {
    return (DocumentStore)
        Proxy.newProxyInstance(
            DocumentStore.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              Throwable failure =
                  method.getDeclaringClass() == Object.class ? null : next.getAndSet(null);
              if (failure != null) {
                throw failure;
              }
              try {
                return method.invoke(bucket, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean isSettledAfterInsert() throws SQLException {
    if (count("").equals("0")) {
      insert();
    }
    return allSettled();
  }

  private boolean allSettled() throws SQLException {
    return count(" WHERE request_status <> 'complete'").equals("0");
  }

  private void insert() throws SQLException {
    database.execute(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload)"
            + " VALUES ('create', gen_random_uuid()::text, '{}')");
  }

  private String count(String where) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM handoff.accounts" + where)) {
      row.next();
      return row.getString(1);
    }
  }
}
