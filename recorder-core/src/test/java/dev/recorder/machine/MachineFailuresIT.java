package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Failback;
import dev.recorder.leadership.Timing;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.TestSessions;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/**
 * What becomes of a machine, and of its recorders, when one of its threads fails unforeseen. Its
 * machines have names of their own, since other tests' machines log in the same process.
 */
class MachineFailuresIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);

  private static final Timing TIMING =
      TestSettings.PATIENT
          .change()
          .lease(Duration.ofSeconds(10))
          .takeoverAfter(Duration.ofSeconds(15))
          .stuckAfter(Duration.ofSeconds(3))
          .build();

  private final MemoryStore bucket = new MemoryStore();
  private final Map<String, Throwable> storeFaults = new ConcurrentHashMap<>();
  private final Map<String, Object> storeAnswers = new ConcurrentHashMap<>();
  private volatile boolean leavesInterrupts;
  private final LogFault logFault = new LogFault();
  private final List<Machine> machines = new ArrayList<>();
  private final List<CompletableFuture<Void>> runs = new ArrayList<>();
  private TestDatabase database;
  private DatabaseSettings reached;

  @BeforeEach
  void createDatabase() throws SQLException {
    database = TestDatabase.createOwned();
    reached = TestSettings.patient(database);
    context().addTurboFilter(logFault);
  }

  @AfterEach
  void stopEverything() throws Exception {
    context().getTurboFilterList().remove(logFault);
    machines.forEach(Machine::stop);
    for (CompletableFuture<Void> run : runs) {
      try {
        run.get(60, TimeUnit.SECONDS);
      } catch (ExecutionException failed) {
        assertThat(failed.getCause()).isInstanceOf(MachineFailedException.class);
      }
    }
    database.close();
  }

  @Test
  void anErrorOnAStoreLaneEndsTheMachineAndAPeerTakesOver() throws Exception {
    CompletableFuture<Void> a = startBoth();
    NoClassDefFoundError fatal = new NoClassDefFoundError("com/example/Gone");
    storeFaults.put("fails-a putIfAbsent " + LAYOUT.slotKey(1), fatal);
    insert();

    assertThat(failureOf(a)).isSameAs(fatal);

    awaitLastSlot();
    assertThat(query("SELECT to_machine || ' ' || reason FROM recorder.takeovers WHERE id = 2"))
        .isEqualTo("fails-b died");
  }

  /** Where a line is logged, by thread: the data session's, and the control loop's. */
  @ParameterizedTest
  @CsvSource({"first slot,data-session-2-1", "active (start),run-of-fails-a"})
  void anErrorOnAnotherThreadEndsTheMachineAndAPeerTakesOver(String line, String thread)
      throws Exception {
    OutOfMemoryError fatal = new OutOfMemoryError("unable to create native thread");
    logFault.at.set(new LogFault.At("fails-a", line, fatal));
    CompletableFuture<Void> a = startBoth();
    insert();

    assertThat(failureOf(a)).isSameAs(fatal);

    assertThat(logFault.struck).isEqualTo(thread);
    awaitLastSlot();
    assertThat(query("SELECT holder FROM recorder.lock_recorders")).isEqualTo("fails-b");
  }

  @ParameterizedTest
  @CsvSource({"putIfAbsent", "head"})
  void anExceptionOnAStoreLaneEndsTheTermAndAPeerTakesOverAndTheMachineLivesOn(String call)
      throws Exception {
    CompletableFuture<Void> a = startBoth();
    storeFaults.put(
        "fails-a " + call + " " + LAYOUT.slotKey(1), new IllegalStateException("a bug"));
    if (call.equals("head")) {
      // Asked for what the unforeseen may have left behind.
      storeFaults.put("fails-a putIfAbsent " + LAYOUT.slotKey(1), new IllegalStateException("bug"));
    }
    insert();

    awaitLastSlot();

    assertThat(query("SELECT holder FROM recorder.lock_recorders")).isEqualTo("fails-b");
    assertThat(query("SELECT reason FROM recorder.takeovers WHERE id = 2")).isEqualTo("released");
    assertThat(a).isNotDone();
  }

  @Test
  void anExceptionOnTheDataSessionsLaneEndsTheTermAndTheMachineIsAbleAgainAfterwards()
      throws Exception {
    logFault.at.set(new LogFault.At("fails-a", "first slot", new IllegalStateException("a bug")));
    CompletableFuture<Void> a = start("fails-a", true);
    insert();

    await().atMost(LIMIT).until(() -> query("SELECT count(*) FROM recorder.takeovers").equals("2"));

    assertThat(a).isNotDone();
    assertThat(query("SELECT to_machine FROM recorder.takeovers WHERE id = 2"))
        .isEqualTo("fails-a");
  }

  /** A store's client may leave an interrupt, which is no sign that the machine stops. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExceptionWhilePreparingIsTriedAgain(boolean leavesAnInterrupt) throws Exception {
    leavesInterrupts = leavesAnInterrupt;
    IllegalStateException bug = new IllegalStateException("a bug");
    storeFaults.put("fails-a once head", bug);

    var unused = start("fails-a", true);

    insert();
    awaitLastSlot();
    assertThat(storeFaults).doesNotContainValue(bug);
  }

  /** What is wrong with the database is wrong for all hosts. */
  @Test
  void aRecorderWhoseTableIsLockedStaysWhereItIsAndTheBlockerIsNamed() throws Exception {
    CompletableFuture<Void> a = startBoth();
    insert();
    awaitLastSlot();
    try (Connection blocker = database.connectAsSuperuser();
        Statement statement = blocker.createStatement()) {
      lock(blocker, statement);

      awaitLine("the database does not answer properly");
      awaitMoreThanAHandOverTakes();

      assertThat(logFault.lines)
          .filteredOn(line -> line.startsWith("the database does not answer properly"))
          .hasSize(1)
          .allMatch(line -> line.contains("(a migration, role postgres) with AccessExclusiveLock"));
      blocker.commit();
    }
    await()
        .atMost(LIMIT)
        .until(() -> query("SELECT last_slot FROM recorder.lock_recorders").equals("2"));
    assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
    assertThat(a).isNotDone();
  }

  @Test
  void aRecorderWhoseTableIsGoneStaysWhereItIsAndItIsSaidWhatToDo() throws Exception {
    var unused = startBoth();
    database.execute("ALTER TABLE handoff.orders RENAME TO elsewhere");

    awaitLine("the database does not answer properly");
    awaitMoreThanAHandOverTakes();

    assertThat(logFault.lines).anyMatch(line -> line.contains("put back what was dropped"));
    database.execute("ALTER TABLE handoff.elsewhere RENAME TO orders");
    insert();
    awaitLastSlot();
    assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
  }

  @Test
  void aRecorderOfWhoseTableAColumnHasAnotherTypeStaysWhereItIsAndGoesOnWhenItIsPutRight()
      throws Exception {
    var unused = startBoth();
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN time TYPE date");
    insert();

    awaitLine("the database does not answer properly");
    awaitMoreThanAHandOverTakes();

    assertThat(logFault.lines)
        .anyMatch(line -> line.contains("column time of table handoff.orders has become date"))
        .noneMatch(line -> line.startsWith("bug"))
        .noneMatch(line -> line.contains("internal error"));
    database.execute("ALTER TABLE handoff.orders ALTER COLUMN time TYPE timestamptz");
    awaitLastSlot();
    assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
  }

  @Test
  void aRecorderWhoseRowAConstraintOfSomebodyElsesRefusesStaysWhereItIs() throws Exception {
    var unused = startBoth();
    database.execute(
        "ALTER TABLE recorder.lock_recorders ADD CONSTRAINT theirs CHECK (last_slot < 1)");
    insert();

    awaitLine("the database does not answer properly");
    awaitMoreThanAHandOverTakes();

    assertThat(logFault.lines)
        .anyMatch(line -> line.contains("violates check constraint \"theirs\""))
        .anyMatch(line -> line.contains("remove it"));
    database.execute("ALTER TABLE recorder.lock_recorders DROP CONSTRAINT theirs");
    awaitLastSlot();
    assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
  }

  /** They would be passed over for good. */
  @Test
  void rowsThatAPolicyHidesAreWaitedForAndItIsSaidWhatToDo() throws Exception {
    var unused = startBoth();
    database.execute(
        "ALTER TABLE handoff.orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
        "CREATE POLICY come ON handoff.orders FOR INSERT WITH CHECK (true)",
        "CREATE POLICY seen ON handoff.orders FOR SELECT USING (key = 'seen')");
    insert();

    awaitLine("the database does not answer properly");
    assertThat(logFault.lines)
        .anyMatch(
            line ->
                line.contains("would be affected by row-level security policy")
                    && line.contains("ALTER TABLE handoff.orders DISABLE ROW LEVEL SECURITY"));
    try (Inspection status = Inspection.open(TestSessions.patient(database, "operator"))) {
      assertThat(status.recorders(10)).singleElement().matches(log -> log.backlog() == null);
    }
    database.execute("ALTER TABLE handoff.orders DISABLE ROW LEVEL SECURITY");
    awaitLastSlot();
    assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
  }

  /** A peer is asked when the active machine's way to the store is gone, and has to read. */
  @Test
  void aPeerThatCannotReadWhatIsNextIsNotAbleUntilItCan() throws Exception {
    var unused = startBoth();
    storeAnswers.put(
        "fails-a putIfAbsent " + LAYOUT.slotKey(1), new ObjectStore.Unclear("cut off", true));
    insert();
    awaitLine("S3 does not answer properly");
    try (Connection blocker = database.connectAsSuperuser();
        Statement statement = blocker.createStatement()) {
      lock(blocker, statement);

      awaitLine("not able to take it");
      awaitMoreThanAHandOverTakes();

      assertThat(logFault.lines)
          .filteredOn(line -> line.startsWith("not able to take it"))
          .hasSize(1)
          .allMatch(line -> line.contains("(a migration, role postgres) with AccessExclusiveLock"));
      assertThat(query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
      blocker.rollback();
    }
    awaitLastSlot();
    assertThat(query("SELECT to_machine || ' ' || reason FROM recorder.takeovers WHERE id = 2"))
        .isEqualTo("fails-b stuck");
  }

  /** Without heartbeats leases end everywhere: who is to blame must be told. */
  @Test
  void whoLocksTheTableOfHeartbeatsIsNamed() throws Exception {
    reached = TestSettings.of(database); // It is told when no answer comes in time.
    var unused = startBoth();
    try (Connection blocker = database.connectAsSuperuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("SET application_name = 'a vacuum'");
      statement.execute("LOCK TABLE recorder.info_recorders IN ACCESS EXCLUSIVE MODE");

      awaitLine("the database does not answer properly");

      assertThat(logFault.lines)
          .filteredOn(line -> line.startsWith("the database does not answer properly"))
          .first()
          .asString()
          .contains(
              "(a vacuum, role postgres) with AccessExclusiveLock on recorder.info_recorders");
      blocker.rollback();
    }
    insert();
    awaitLastSlot();
  }

  private static void lock(Connection blocker, Statement statement) throws SQLException {
    blocker.setAutoCommit(false);
    statement.execute("SET application_name = 'a migration'");
    statement.execute("INSERT INTO handoff.orders (payload) VALUES ('2')");
    statement.execute("LOCK TABLE handoff.orders IN ACCESS EXCLUSIVE MODE");
  }

  private void awaitLine(String beginning) {
    await()
        .atMost(LIMIT)
        .until(() -> logFault.lines.stream().anyMatch(line -> line.startsWith(beginning)));
  }

  /** Until it would be stuck, and then until peers would have been asked. */
  private void awaitMoreThanAHandOverTakes() {
    String beat = "SELECT beat FROM recorder.info_recorders WHERE name = 'fails-a'";
    long then = beats(beat);
    await().atMost(LIMIT).until(() -> beats(beat) > then + 16);
  }

  private long beats(String sql) {
    try {
      return Long.parseLong(query(sql));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anErrorWhilePreparingEndsTheMachine() throws Exception {
    Error fatal = new NoClassDefFoundError("com/example/Gone");
    storeFaults.put("fails-a once head", fatal);

    assertThat(failureOf(start("fails-a", true))).isSameAs(fatal);
  }

  private static Throwable failureOf(CompletableFuture<Void> run) throws Exception {
    try {
      run.get(60, TimeUnit.SECONDS);
      throw new AssertionError("the machine ended well");
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(MachineFailedException.class);
      return e.getCause().getCause();
    }
  }

  private CompletableFuture<Void> startBoth() throws Exception {
    CompletableFuture<Void> a = start("fails-a", true);
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> query("SELECT holder FROM recorder.lock_recorders") != null || a.isDone());
    var unused = start("fails-b", false);
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () ->
                a.isDone()
                    || query("SELECT count(*) FROM recorder.info_recorders WHERE able = '{1}'")
                        .equals("2"));
    return a;
  }

  private CompletableFuture<Void> start(String name, boolean primary) {
    Machine machine = new Machine(settings(name, primary), recorder -> storeOf(name));
    machines.add(machine);
    CompletableFuture<Void> run = new CompletableFuture<>();
    runs.add(run);
    new Thread(
            () -> {
              try {
                machine.run();
                run.complete(null);
              } catch (Throwable failure) {
                run.completeExceptionally(failure);
              }
            },
            "run-of-" + name)
        .start();
    return run;
  }

  private DocumentStore storeOf(String host) {
    return (DocumentStore)
        Proxy.newProxyInstance(
            DocumentStore.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              Throwable once = storeFaults.remove(host + " once " + method.getName());
              if (once != null) {
                if (leavesInterrupts) {
                  Thread.currentThread().interrupt();
                }
                throw once;
              }
              Throwable fault =
                  arguments == null
                      ? null
                      : storeFaults.get(host + " " + method.getName() + " " + arguments[0]);
              if (fault != null) {
                throw fault;
              }
              Object answer =
                  arguments == null
                      ? null
                      : storeAnswers.get(host + " " + method.getName() + " " + arguments[0]);
              if (answer != null) {
                return answer;
              }
              try {
                return method.invoke(bucket, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private MachineSettings settings(String name, boolean primary) {
    return MachineSettings.of(name, reached)
        .version("test")
        .hashes("hash", Map.of("timing", "hash"))
        .timing(TIMING)
        .log(
            RecorderSettings.of(1, LAYOUT)
                .primary(primary)
                .failback(Failback.MANUAL)
                .rotation(new Rotation(1_000, 1 << 20))
                .linger(Duration.ofMillis(50))
                .build())
        .build();
  }

  private void insert() {
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () -> query("INSERT INTO handoff.orders (payload) VALUES ('1') RETURNING 1") != null);
  }

  private void awaitLastSlot() {
    await()
        .atMost(LIMIT)
        .until(() -> query("SELECT last_slot FROM recorder.lock_recorders").equals("1"));
  }

  private @Nullable String query(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  /** Fails, once, on the thread that is about to log a line: a way to every thread. */
  private static final class LogFault extends TurboFilter {
    private record At(String machine, String line, Throwable failure) {}

    private final AtomicReference<@Nullable At> at = new AtomicReference<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile String struck = "";

    @Override
    public FilterReply decide(
        Marker marker,
        ch.qos.logback.classic.Logger logger,
        Level level,
        String format,
        Object[] parameters,
        Throwable thrown) {
      String machine = String.valueOf(MDC.get("machine"));
      if (format != null && level.isGreaterOrEqual(Level.WARN) && machine.startsWith("fails-")) {
        lines.add(MessageFormatter.arrayFormat(format, parameters).getMessage());
      }
      At fault = at.get();
      String line = format == null ? "" : format.replace("{}", first(parameters));
      if (fault != null
          && line.startsWith(fault.line())
          && fault.machine().equals(machine)
          && at.compareAndSet(fault, null)) {
        struck = Thread.currentThread().getName();
        throwIt(fault.failure());
      }
      return FilterReply.NEUTRAL;
    }

    private static String first(Object[] parameters) {
      return parameters == null || parameters.length == 0 ? "" : String.valueOf(parameters[0]);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwIt(Throwable failure) throws T {
      throw (T) failure;
    }
  }
}
