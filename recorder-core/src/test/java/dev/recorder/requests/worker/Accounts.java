package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.postgres.RequestSite;
import dev.recorder.s3.StoreProbes;
import dev.recorder.schema.Setup;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import dev.recorder.time.Supervision;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The recorder {@code accounts} on a database of its own, and a producer of its requests. */
class Accounts implements AutoCloseable {
  static final int LOCK_ID = 5;
  static final DocumentLayout LAYOUT =
      new DocumentLayout("", "bucket", "p", new RecorderName("accounts"));

  final TestDatabase database;
  private final Connection producer;

  Accounts() throws SQLException {
    database = TestDatabase.createOwned();
    producer = database.connect();
  }

  static BackEndSettings settings(int workers, Duration timeLimit) {
    return BackEndSettings.of(
            LOCK_ID, LAYOUT, new BackEndSettings.BackEndCapacity(workers, timeLimit, 20))
        .history(Duration.ofHours(1))
        .build();
  }

  /** A bucket of which some calls fail. */
  static DocumentStore failing(
      MemoryStore bucket, BiFunction<Method, Object[], @Nullable Throwable> failures) {
    return (DocumentStore)
        Proxy.newProxyInstance(
            Accounts.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              Throwable failure = failures.apply(method, arguments);
              if (failure != null) {
                throw failure;
              }
              return method.invoke(bucket, arguments);
            });
  }

  /** The same with the back ends of {@code host-a}, whose heartbeats arrive. */
  static final class Hosted extends Accounts {
    final Sessions sessions = sessions("host-a");
    private final RdsManager manager = new RdsManager(sessions);
    private final BackEnds backEnds;
    private final MachineMetrics metrics;
    private volatile @Nullable Readiness stated;

    Hosted(DocumentStore store, MemoryBudget memory, Supervision supervision) throws SQLException {
      manager.connect();
      metrics = new MachineMetrics(supervision.ticker(), List.of());
      UnitProcessors handlings = new UnitProcessors(recorder -> store, new StoreProbes(), manager);
      BackEnds.BackEndDependencies means =
          new BackEnds.BackEndDependencies(
              handlings, memory, metrics, (recorder, is) -> stated = is);
      backEnds = new BackEnds(sessions, means, Duration.ofSeconds(2), supervision);
      backEnds.registered(true);
    }

    void paused(boolean is) {
      backEnds.paused(is ? Set.of(LOCK_ID) : Set.of());
    }

    void add(BackEndSettings settings) throws InterruptedException {
      backEnds.add(settings, new Setup(manager).run(List.of(settings.wanted())).get(0));
    }

    /** All others are let go. */
    void keepOnly(BackEndSettings... wanted) {
      backEnds.keepOnly(List.of(wanted));
    }

    boolean isAble() {
      return metrics.requests("accounts").isAble();
    }

    /** Whether it is stated that requests are processed. */
    boolean isReady() {
      Readiness now = stated;
      return now != null && now.isReady();
    }

    /** What is not as it should be now, as {@code accounts is refused} and why. */
    Map<String, String> stated() {
      Readiness now = stated;
      return now == null || now.isReady()
          ? Map.of()
          : Map.of(now.isRefused() ? "accounts is refused" : "accounts is not able", now.why());
    }

    @Override
    public void close() throws SQLException {
      backEnds.close();
      manager.close();
      super.close();
    }
  }

  /** As a machine of this name opens them. */
  final Sessions sessions(String machine) {
    return new Sessions(TestSettings.patient(database), machine);
  }

  void insert(String type, String entity, String payload) throws SQLException {
    RequestSite.insert(producer, LAYOUT.recorder(), type, entity, payload);
  }

  /** Until so many requests are complete. */
  void awaitComplete(int requests) {
    await().until(() -> complete().equals(Integer.toString(requests)));
  }

  private String complete() throws SQLException {
    return text("SELECT count(*) FROM handoff.accounts WHERE request_status = 'complete'");
  }

  void run(String sql) throws SQLException {
    RequestSite.run(producer, sql);
  }

  /** Ends the sessions of a machine's workers. */
  void endWorkers(String machine) throws SQLException {
    run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname ="
            + " current_database() AND application_name LIKE 'recorder/%s/data%%'"
                .formatted(machine));
  }

  String text(String sql) throws SQLException {
    return String.valueOf(RequestSite.ask(producer, sql));
  }

  @Override
  public void close() throws SQLException {
    producer.close();
    database.close();
  }
}
