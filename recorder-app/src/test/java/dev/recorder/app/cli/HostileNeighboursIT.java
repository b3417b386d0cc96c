package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.HostilePublic;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A machine and all commands that reach the database, where others may create in {@code public} and
 * sessions look there first: none of it calls what lies in wait there.
 */
class HostileNeighboursIT {
  private static final String JOBS = "[recorder:jobs]\nlockid = 3\nkind = requests\n";

  @TempDir private static Path folder;
  private static TestSite site;
  private static HostilePublic hostile;

  @BeforeAll
  static void anotherMachineHasRun() throws Exception {
    site = TestSite.create(folder);
    site.configure(site.text() + JOBS);
    site.start();
    site.record("orders", 150);
    site.stop();
    site.execute(
        "INSERT INTO handoff.jobs (entity_id, request_status) VALUES ('broken', 'error')",
        "INSERT INTO recorder.lock_task (id) VALUES ('waiting')",
        "INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('taken', true)",
        "INSERT INTO recorder.lock_timeout (id, timeout) VALUES ('nightly', '1 day')");
    hostile = HostilePublic.plant(site.database, HostilePublic.Path.PUBLIC_FIRST);
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void forget() throws Exception {
    hostile.sprung();
  }

  @Test
  void aMachineMakesItsTablesRecordsAndWorksRequestsOff(@TempDir Path own) throws Exception {
    try (TestSite fresh = TestSite.create(own)) {
      HostilePublic around = HostilePublic.plant(fresh.database, HostilePublic.Path.PUBLIC_FIRST);
      fresh.configure(fresh.text() + JOBS);

      fresh.start();
      fresh.record("orders", 150);
      fresh.run("requests", "add", "jobs", "a").exits(0);
      String complete = "SELECT count(*) FROM handoff.jobs WHERE request_status = 'complete'";
      await().until(() -> fresh.ask(complete).equals("1"));
      Run switchover = fresh.run("switchover", "orders", "--to", "host-b");
      Run reload = fresh.run("reload", "--wait", "1");
      fresh.stop();

      switchover.says("host-b");
      reload.says("did not take the order");
      assertThat(around.sprungByTheRecorder()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "status, 0",
    "takeovers, 0",
    "takeovers orders, 0",
    "verify, 0",
    "cat orders, 0",
    "expire orders --below 2, 0",
    "switchover orders --to host-b, 2",
    "drain host-b, 2",
    "rebase orders --dry-run, 0",
    "rebase orders --yes, 0",
    "check --online, 0",
    "requests add jobs x --payload {}, 0",
    "requests list jobs, 0",
    "requests list jobs --status error --entity broken, 0",
    "requests show jobs 1, 0",
    "requests cancel jobs 1, 1",
    "requests retry jobs 1, 0",
    "requests retry jobs --all, 0",
    "tasks add a b, 0",
    "tasks list, 0",
    "tasks list --status new, 0",
    "tasks capture --limit 1, 0",
    "tasks set waiting failed --force, 0",
    "lock list, 0",
    "lock list --kind advisory, 0",
    "lock show --name nobody, 0",
    "lock show --lockid 1, 0",
    "lock show --kind mutex --name taken, 0",
    "lock show --kind timeout --name nightly, 0",
    "lock release --name nobody --force, 0",
    "lock release --kind mutex --name taken --force, 0",
    "lock release --kind timeout --name nightly --force, 0",
  })
  void aCommandCallsNothingOfOthers(String command, int exitCode) throws Exception {
    Run run = site.run(command.split(" "));

    assertThat(hostile.sprungByTheRecorder()).isEmpty();
    run.exits(exitCode);
  }

  @ParameterizedTest
  @CsvSource({"advisory, ''", "mutex, ''", "timeout, --every 1h", "advisory, --lockid 7"})
  void aCommandUnderALockCallsNothingOfOthers(String kind, String more) throws Exception {
    String which = more.contains("lockid") ? more : more + " --name run";
    LockedHost host = new LockedHost(folder);
    try {
      String words = "--kind " + kind + " " + which.strip() + " -- true";
      host.lockRun(site.ini(), words).ended().exits(0);
    } finally {
      host.clear();
    }
    assertThat(hostile.sprungByTheRecorder()).isEmpty();
  }
}
