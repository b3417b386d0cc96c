package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.orders.HostAnswer;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands whose tables a stranger has locked: they end, and say whom to turn to. */
class LockedTableIT extends OwnSite {
  private static final String ORDER =
      "SELECT coalesce(max(state), 'none') FROM recorder.operator_orders";

  private static final String RECORDERS = "recorder.lock_recorders";
  private static final String MACHINES = "recorder.info_recorders";
  private static final String NOTHING = "SELECT";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pause orders --for 2h --reason why",
        "resume orders",
        "switchover orders --to host-b --dry-run",
        "drain host-b",
        "expire orders --below 1 --yes",
        "explain orders",
        "status"
      })
  @MachineStopped
  void whoHasLockedTheTableOfRecordersIsNamed(String command) throws Exception {
    whoHasLockedItIsNamed(RECORDERS, command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "switchover orders --to host-b --dry-run",
        "drain host-b",
        "undrain host-b",
        "reload",
        "explain orders",
        "status"
      })
  @MachineStopped
  void whoHasLockedTheTableOfMachinesIsNamed(String command) throws Exception {
    whoHasLockedItIsNamed(MACHINES, command);
  }

  private void whoHasLockedItIsNamed(String table, String command) throws Exception {
    try (Stranger ghost = ghost("host-b");
        Stranger psql = new Stranger("psql")) {
      psql.lock(table);

      Run run = site.run(command.split(" "));

      run.exits(75).printsNothing().inOneLine().says(psql.inTheWay(table));
      await().until(() -> sessionsOfCommands() == 0);
      assertThat(site.ask(ORDER)).isEqualTo("none");
      assertThat(ghost.pid).isPositive();
    }
  }

  @Test
  @MachineStopped
  void aMonitorIsToldWhoItIsInTheVerdict() throws Exception {
    try (Stranger psql = new Stranger("psql")) {
      psql.lock(RECORDERS);

      site.run("status", "--check")
          .exits(2)
          .saysNothing()
          .prints("RECORDER CRITICAL - ")
          .prints(psql.inTheWay(RECORDERS));
    }
  }

  @Test
  @MachineStopped
  void whoHasLockedAHandOffTableIsNamedByTheCheckOfItsRow() throws Exception {
    try (Stranger psql = new Stranger("psql")) {
      psql.lock("handoff.orders");

      site.run("check", "--online", "-o", "json")
          .exits(75)
          .prints("row of orders")
          .prints(psql.inTheWay("handoff.orders"));
    }
  }

  @Test
  @MachineStopped
  void whoHasLockedALeafIsNamedToWhoAsksWhatWouldBeCleared() throws Exception {
    try (Stranger psql = new Stranger("psql")) {
      psql.lock("recorder.handoff_orders_0");

      site.run("clear", "orders", "--dry-run")
          .exits(75)
          .inOneLine()
          .says(psql.inTheWay("recorder.handoff_orders_0"));
    }
  }

  @Test
  @MachineStopped
  void aVerificationSaysWhoHasLockedTheRowsAndGoesOnWhenTheyAreFree() throws Exception {
    StringWriter err = new StringWriter();
    CommandLine verify = RecorderCommand.commandLine(OutputStream.nullOutputStream(), "verify");
    verify.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
    CompletableFuture<Integer> exitCode;
    try (Stranger psql = new Stranger("psql")) {
      psql.lock("handoff.orders");
      exitCode =
          CompletableFuture.supplyAsync(
              () -> verify.execute("verify", "orders", "-c", site.file().toString()));
      await().until(() -> err.toString().endsWith(System.lineSeparator()));

      assertThat(err.toString())
          .hasLineCount(1)
          .startsWith("recorder: orders: waits, and continues by itself: ")
          .contains(psql.inTheWay("handoff.orders"));
    }
    assertThat(exitCode.get()).isZero();
  }

  @Test
  @MachineStopped
  void whoHasOneRowIsNamedToWhoWouldChangeIt() throws Exception {
    try (Stranger psql = new Stranger("psql")) {
      psql.run("SELECT FROM recorder.lock_recorders FOR UPDATE");

      pause()
          .exits(75)
          .inOneLine()
          .says(psql.session(), "with RowShareLock on recorder.lock_recorders");
    }
    pause().exits(0);
  }

  @Test
  @MachineStopped
  void aLockThatIsGivenBackSoonIsNoFailure() throws Exception {
    Run run = whileItIsLockedForAMoment();
    for (int again = 4; run.exitCode() == 75 && again > 0; again--) {
      // On a busy host it may not be soon: a command waits for some seconds only.
      run = whileItIsLockedForAMoment();
    }
    run.exits(0);
  }

  private Run whileItIsLockedForAMoment() throws Exception {
    CompletableFuture<Run> pause;
    try (Stranger psql = new Stranger("psql")) {
      psql.lock(RECORDERS);
      pause = CompletableFuture.supplyAsync(this::pause);
      String waits = "SELECT bool_or(NOT granted) FROM pg_locks";
      await().until(() -> pause.isDone() || site.ask(waits).equals("t"));
    }
    return pause.get();
  }

  @Test
  void whoHasLockedATableOfRequestsIsNamed() throws Exception {
    site.configure(site.text() + "[recorder:jobs]\nlockid = 3\nkind = requests\n");
    site.start();
    await().until(() -> site.ask("SELECT to_regclass('handoff.jobs') IS NOT NULL").equals("t"));
    site.stop();
    try (Stranger psql = new Stranger("psql")) {
      psql.lock("handoff.jobs");

      site.run("requests", "list", "jobs").exits(75).says(psql.inTheWay("handoff.jobs"));
    }
  }

  // ---- orders to a machine

  @Test
  @MachineStopped
  void aDrainThatNobodyHasTakenIsWithdrawnIfItsAnswerIsNotToBeSeen() throws Exception {
    whoAsksForADrainIsTold(MACHINES, NOTHING, NOTHING)
        .says("the order to be drained to host host-b is withdrawn, nothing was done: ");
    assertThat(site.ask(ORDER)).isEqualTo("withdrawn");
  }

  @Test
  @MachineStopped
  void aDrainThatWaitsForARehearsalSaysForWhatAndWhose() throws Exception {
    try (Stranger ghost = ghost("host-b")) {
      site.execute(
          """
          INSERT INTO recorder.operator_orders
            (kind, machine, pid, backend_start, recorder, take_within_ms, os_user)
          SELECT 'rehearse', name, pid, backend_start, 'orders', 1000, 'alice'
          FROM recorder.info_recorders WHERE name = 'host-b'
          """,
          "UPDATE recorder.operator_orders SET state = 'taken', taken_at = now()");

      site.run("drain", "host-b", "--wait", "1")
          .exits(75)
          .inOneLine()
          .says("host host-b did not take the order to be drained within 1 s, as it is still at")
          .says("order 1 to rehearse orders, asked by alice (database user ")
          .says("nothing was done: host ", "the order is withdrawn");
      assertThat(ghost.pid).isPositive();
    }
  }

  @Test
  @MachineStopped
  void aDrainThatTheHostHasTakenIsSaidToBeTaken() throws Exception {
    whoAsksForADrainIsTold(
            MACHINES,
            "UPDATE recorder.operator_orders SET state = 'taken', taken_at = now()",
            NOTHING)
        .says("host host-b has taken order 1 to be drained, and its outcome cannot be");
  }

  @Test
  @MachineStopped
  void aDrainWhoseProgressCannotBeSeenIsSaidToGoOn() throws Exception {
    whoAsksForADrainIsTold(
            RECORDERS,
            NOTHING,
            """
            UPDATE recorder.operator_orders
            SET state = 'done', taken_at = now(), ended_at = now(), answer = '%s'
            """
                .formatted(new HostAnswer("", List.of("orders"), List.of()).json()))
        .says("host host-b is drained and hands over what it has (orders), but its progress")
        .says("'recorder undrain host-b' ends it");
  }

  @Test
  @MachineStopped
  void aDrainThatTheRoleMayNotOrderIsNotAndTheRemedyIsNamed() throws Exception {
    site.execute("REVOKE SELECT ON recorder.operator_orders FROM recorder");
    try (Stranger ghost = ghost("host-b")) {
      site.run("drain", "host-b", "--wait", "3")
          .exits(77)
          .saysOnly(
              "recorder: nothing was asked of host host-b: ERROR: permission denied for table"
                  + " operator_orders (SQLSTATE 42501); 'recorder check --online' prints the rights"
                  + " that are missing\n");
      assertThat(ghost.pid).isPositive();
    }
  }

  // ---- what the tests do

  private Run pause() {
    return site.run("pause", "orders", "--for", "2h", "--reason", "why");
  }

  /**
   * Of a drain whose table a stranger locks once it is ordered.
   *
   * @param before what becomes of the order before that
   * @param then what becomes of it behind that
   */
  private Run whoAsksForADrainIsTold(String table, String before, String then) throws Exception {
    try (Stranger ghost = ghost("host-b");
        Stranger psql = new Stranger("psql")) {
      CompletableFuture<Run> drain = drain();
      site.execute(before);
      psql.lock(table);
      site.execute(then);

      Run told = drain.get().exits(75).inOneLine().says(psql.inTheWay(table));
      assertThat(ghost.pid).isPositive();
      return told;
    }
  }

  /** Once it is ordered. */
  private CompletableFuture<Run> drain() {
    CompletableFuture<Run> drain =
        CompletableFuture.supplyAsync(() -> site.run("drain", "host-b", "--wait", "300"));
    await().until(() -> site.ask(ORDER).equals("new"));
    return drain;
  }

  private long sessionsOfCommands() throws SQLException {
    return site.database.number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = 'recorder/host-a/query'");
  }

  /** A machine that is alive and takes no order. */
  private Stranger ghost(String name) throws SQLException {
    Stranger ghost = new Stranger("ghost");
    ghost.run(
        """
        INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, able,
          pid, backend_start, version, config_hash)
        SELECT '%s', now() + interval '1 hour', 0, 2, '{1,2}', pid, backend_start, 'test', 'none'
        FROM pg_stat_activity WHERE pid = pg_backend_pid()
        """
            .formatted(name));
    ghost.session.commit();
    return ghost;
  }

  /** A session of somebody else's, in a transaction. */
  private final class Stranger implements AutoCloseable {
    private final Connection session;
    private final String application;
    private final int pid;

    Stranger(String application) throws SQLException {
      this.application = application;
      this.session = site.database.connect();
      session.setClientInfo("ApplicationName", application);
      session.setAutoCommit(false);
      try (Statement statement = session.createStatement();
          ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
        row.next();
        this.pid = row.getInt(1);
      }
      session.commit();
    }

    void run(String sql) throws SQLException {
      try (Statement statement = session.createStatement()) {
        statement.execute(sql);
      }
    }

    void lock(String table) throws SQLException {
      run("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
    }

    String session() {
      return "blocked by database session %d (%s, role ".formatted(pid, application);
    }

    String[] inTheWay(String table) {
      return new String[] {
        session(),
        "with AccessExclusiveLock on " + table + ", in a transaction since ",
        "end it with"
      };
    }

    @Override
    public void close() throws SQLException {
      session.close();
    }
  }
}
