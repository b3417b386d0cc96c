package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.lock.LockedHost;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * A machine and all commands that reach the database, where others may create in {@code public} and
 * sessions look there first: none of it calls what lies in wait there.
 */
@Tag("nightly")
class HostileNeighboursIT {
  private static final String JOBS = "[recorder:jobs]\nlockid = 3\nkind = requests\n";

  /** Command lines in their order, each with its exit code. */
  private static final List<String> LINES =
      List.of(
          "status, 0",
          "status --check, 2",
          "explain orders, 0",
          "explain orders --host host-a, 0",
          "explain jobs, 0",
          "takeovers, 0",
          "takeovers orders, 0",
          "verify, 0",
          "cat orders, 0",
          "replay audit --into {target}, 0",
          "pause orders --reason r --for 1h, 0",
          "pause orders --reason r --for 1m, 75",
          "explain orders, 0",
          "resume orders, 0",
          "clear orders --dry-run, 0",
          "reload --wait 1, 75",
          "switchover orders --to host-b --wait 1, 2",
          "drain host-b, 2",
          "undrain host-b, 2",
          "capture add shop.account --recorder audit --snapshot, 0",
          "capture add shop.account --recorder audit --again --old all, 0",
          "capture list, 0",
          "capture check, 1",
          "capture snapshot shop.account --recorder audit, 0",
          "schema --online, 0",
          "capture remove shop.account --recorder audit, 0",
          "expire orders --below 2 --dry-run, 0",
          "expire orders --below 2 --yes, 0",
          "rebase orders --dry-run, 0",
          "rebase orders --yes, 0",
          "check --online, 0",
          "at 1 orders, 0",
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
          "lock release --kind timeout --name nightly --force, 0");

  /**
   * What {@code run} runs is here with the machine, and this with a command; the others ask no
   * server.
   */
  private static final Set<String> OTHERWISE = Set.of("run", "lock run", "init", "help");

  /** A table that was captured, and one row of it. */
  private static final String CHANGES =
      """
      INSERT INTO handoff.audit (key, payload) VALUES
        ('0', '{"op":"schema","table":"public.thing","seq":1,"columns":[
          {"name":"id","type":"integer"},{"name":"n","type":"integer"}],"key":["id"]}'),
        ('1', '{"op":"insert","table":"public.thing","seq":2,"key":{"id":1},
          "after":{"id":1,"n":1}}')
      """;

  @TempDir private static Path folder;
  private static TestSite site;
  private static HostilePublic hostile;
  private static TestDatabase target;
  private static HostilePublic inTarget;

  @BeforeAll
  static void anotherMachineHasRun() throws Exception {
    site = TestSite.create(folder);
    site.configure(site.text() + "capture = shop.stock\n" + JOBS);
    site.execute(
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.account (id int PRIMARY KEY, name text)",
        "CREATE TABLE shop.stock (id int PRIMARY KEY, n int)",
        "INSERT INTO shop.account VALUES (1, 'Ann')");
    site.start();
    site.record("orders", 150);
    site.execute(CHANGES);
    site.record("audit", 0);
    site.stop();
    site.database.execute(site.run("schema").exits(0).out());
    site.execute(
        "INSERT INTO handoff.jobs (entity_id, request_status) VALUES ('broken', 'error')",
        "INSERT INTO recorder.lock_task (id) VALUES ('waiting')",
        "INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('taken', true)",
        "INSERT INTO recorder.lock_timeout (id, due_at) VALUES ('nightly', 'tomorrow')");
    hostile = HostilePublic.plant(site.database, HostilePublic.Path.PUBLIC_FIRST);
    target = TestDatabase.createOwned();
    inTarget = HostilePublic.plant(target, HostilePublic.Path.PUBLIC_FIRST);
    site.write("target.ini", site.text().replace(site.database.name(), target.name()));
  }

  @AfterAll
  static void close() throws Exception {
    target.close();
    site.close();
  }

  @BeforeEach
  void forget() throws Exception {
    hostile.sprung();
    inTarget.sprung();
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

  static Stream<Arguments> lines() {
    return LINES.stream()
        .map(line -> line.split(", "))
        .map(line -> Arguments.of(line[0], Integer.parseInt(line[1])));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void aCommandCallsNothingOfOthers(String command, int exitCode) throws Exception {
    Path into = folder.resolve("target.ini");
    Run run = site.run(command.replace("{target}", into.toString()).split(" "));

    assertThat(hostile.sprungByTheRecorder()).isEmpty();
    assertThat(inTarget.sprungByTheRecorder()).isEmpty();
    run.exits(exitCode);
  }

  /** So that a new command cannot be forgotten here. */
  @Test
  void thereAreNoOtherCommands() {
    Set<String> all = new TreeSet<>();
    collect("", RecorderCommand.withAllCommands(OutputStream.nullOutputStream()), all);
    Set<String> untried = new TreeSet<>(all);
    untried.removeIf(
        command ->
            OTHERWISE.contains(command)
                || LINES.stream().anyMatch(line -> line.matches(command + "[ ,].*")));

    assertThat(all).hasSizeGreaterThan(30).containsAll(OTHERWISE);
    assertThat(untried).isEmpty();
  }

  private static void collect(String path, CommandLine command, Set<String> into) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (sub.getSubcommands().isEmpty()) {
                into.add(path + name);
              } else {
                collect(path + name + " ", sub, into);
              }
            });
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
