package dev.recorder.app.cli.lock;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.testing.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code recorder lock run} as a process where its command says something, waits or is ended, else
 * in this one; and the operator's commands beside it.
 */
class LockRunIT {
  /** Says that it has begun, and that it was told to end; its child does not listen. */
  private static final String STORY =
      """
      trap 'echo told >told; exit 5' TERM
      trap 'echo told >told-int; exit 6' INT
      sh -c 'trap "" TERM INT; sleep 300' &
      echo $$ >began
      while :; do sleep 0.05; done
      """;

  @TempDir private static Path siteFolder;
  private static TestSite site;
  private static Path ini;

  @TempDir private Path folder;
  private LockedHost host;

  @BeforeAll
  static void aMachineHasMadeTheTables() throws Exception {
    site = TestSite.create(siteFolder);
    ini = site.write("lock.ini", site.text());
    site.runOnce();
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void aHost() {
    host = new LockedHost(folder);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    try {
      await().untilAsserted(() -> assertThat(host.running()).isEmpty());
      try (var files = Files.list(folder)) {
        assertThat(files.filter(file -> file.getFileName().toString().startsWith("recorder-lock")))
            .isEmpty();
      }
    } finally {
      host.clear();
      site.execute("TRUNCATE recorder.lock_mutex, recorder.lock_timeout");
    }
  }

  // ---- exit codes

  @ParameterizedTest
  @CsvSource({
    "exit 0, 0, ''",
    "exit 3, 3, the command ended with exit code 3",
    "exit 75, 75, the command ended with exit code 75",
    "kill -9 $$, 137, 'the command ended with exit code 137, as of death by signal 9'"
  })
  void theCommandsExitCodeIsPassedOn(String script, int exitCode, String said) throws Exception {
    here("--name codes -- sh -c", script)
        .exits(exitCode)
        .saysOnly(said.isEmpty() ? "" : "recorder: lock codes: " + said + "\n");
  }

  @Test
  void aMistakeIsFoundBeforeTheLockIsTaken() throws Exception {
    Path text = Files.writeString(host.file("text"), "no program");

    Run missing = here("--kind=timeout --every=24h --name=m -- no-such-program");
    Run noProgram = here("--kind=timeout --every=24h --name=m --", text.toString());

    missing
        .exits(127)
        .printsNothing()
        .saysOnly(
            "recorder: lock m: not taken: there is no no-such-program in any folder of the PATH\n");
    noProgram
        .exits(126)
        .printsNothing()
        .saysOnly("recorder: lock m: not taken: " + text + " cannot be executed by this user\n");
    assertThat(site.ask("SELECT count(*) FROM recorder.lock_timeout")).isEqualTo("0");
  }

  @Test
  void aDatabaseThatIsNotThereHasItsOwnExitCode() throws Exception {
    Path elsewhere = site.write("elsewhere.ini", site.textWithPort(1));

    LockedHost.lockRunHere(elsewhere, "--name x -- true")
        .exits(69)
        .saysFirst("recorder: lock x: cannot connect to ")
        .inOneLine()
        .doesNotSay("\tat ");
  }

  @Test
  void withoutTheToolsThatGuardItNoCommandIsRun() throws Exception {
    host.path("", "sh", "sh", "mkfifo", "mkfifo", "touch", "touch", "env", "env");

    run("--kind mutex --name u -- touch never")
        .exits(78)
        .printsNothing()
        .saysOnly(
            "recorder: lock u: there is no setsid on the PATH, without which a command could"
                + " outlive its lock; install util-linux\n");
    assertThat(Files.exists(host.file("never"))).isFalse();
    assertThat(site.ask("SELECT count(*) FROM recorder.lock_mutex")).isEqualTo("0");
  }

  @Test
  void withoutTablesARemedyIsNamed() throws Exception {
    site.execute("ALTER SEQUENCE recorder.lock_token RENAME TO lock_token_away");
    try {
      Run advisory = here("--name t -- true");
      Run mutex = here("--kind mutex --name t -- true");

      assertThat(List.of(advisory.exitCode(), mutex.exitCode())).containsExactly(78, 78);
      advisory
          .saysOnly(mutex.err())
          .saysOnly(
              "recorder: lock t: the tables of locks are missing in schema recorder: start a"
                  + " recorder whose role may create them, or let an administrator run the output"
                  + " of 'recorder schema'\n");
    } finally {
      site.execute("ALTER SEQUENCE recorder.lock_token_away RENAME TO lock_token");
    }
  }

  // ---- the command

  @Test
  void theCommandHasItsOwnInputAndTheLocksTokenInItsEnvironment() throws Exception {
    String script = "cat; echo $RECORDER_LOCK_NAME $RECORDER_LOCK_KIND $RECORDER_LOCK_TOKEN $0 $@";
    String[] words = {"a b", "sh", "-c", script, "@zero", "--verbose", "--", "x"};

    Run first = host.lockRun("typed\n", ini, "--name", words).ended();
    Run second = host.lockRun("typed\n", ini, "--name", words).ended();

    assertThat(first.out()).matches("typed\na b advisory \\d+ @zero --verbose -- x\n");
    assertThat(token(second)).isGreaterThan(token(first));
  }

  private static long token(Run run) {
    return Long.parseLong(run.out().replaceAll("(?s).*advisory (\\d+) .*", "$1"));
  }

  @Test
  void whatTheCommandLeavesRunningEndsWithIt() throws Exception {
    run("--name rest -- sh -c", "sleep 300 & echo done")
        .exits(0)
        .printsOnly("done\n")
        .saysOnly("recorder: lock rest: what the command left running was ended with SIGTERM\n");
  }

  // ---- having and waiting

  @Test
  void whoComesSecondIsToldWhoHasItOrWaits() throws Exception {
    LockedHost.Started first = start("--name one -- sh -c", LockedHost.WAITS);
    host.awaitFile("began");

    Run second = here("--name one -- true");
    Run quiet = here("--name one --quiet -- true");
    Run other = here("--name other -- true");
    LockedHost.Started waiting = start("--name one --wait 30s -- echo mine");
    JsonNode shown = awaitWaiter("one");
    Files.createFile(host.file("go"));

    second.exits(75);
    assertThat(second.err())
        .startsWith("recorder: lock one: not acquired: recorder/host-a/lock from ")
        .endsWith(" holds it\n")
        .hasLineCount(1);
    assertThat(quiet).isEqualTo(new Run(75, "", ""));
    other.exits(0);
    assertThat(shown.get("state").asText()).isEqualTo("held");
    assertThat(shown.get("holder").asText()).isEqualTo("recorder/host-a/lock");
    first.ended().exits(0);
    assertThat(waiting.ended()).isEqualTo(new Run(0, "mine\n", ""));
  }

  private JsonNode awaitWaiter(String name) {
    return await()
        .until(
            () -> operator("show -o json --name " + name).json(),
            json -> json.get("waiting").size() == 1);
  }

  @Test
  void theSameNumberAsARecordersKeepsItOut() throws Exception {
    LockedHost.Started run = start("--lockid 1 -- sh -c", STORY);
    host.awaitFile("began");

    JsonNode listed = operator("list --kind advisory -o json").json();
    Run release = operator("release --lockid 1");
    Run force = operator("release --lockid 1 --force");

    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).get("recorder").asText()).isEqualTo("orders");
    assertThat(listed.get(0).get("state").asText()).isEqualTo("held");
    release.exits(75).says("--force terminates that session");
    force.exits(0).prints("lock 1: terminated recorder/host-a/lock");
    run.ended().exits(76);
  }

  // ---- ends

  @Test
  void theCommandIsToldToEndWhenTheLockIsLost() throws Exception {
    LockedHost.Started run = start("--name lost --grace 10s -- sh -c", STORY);
    host.awaitFile("began");

    site.database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
            + " 'recorder/host-a/lock'");
    assertThat(host.awaitFile("told")).isEqualTo("told");

    Run ended = run.ended().exits(76);
    assertThat(lastLine(ended))
        .startsWith("recorder: lock lost: lost: session terminated: ")
        .contains("; the command was ended with SIGTERM and SIGKILL; another process may have");
    assertThat(host.running()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash"})
  void nothingOutlivesARunThatIsKilledNeitherInTheGroupNorInAnotherOfTheSession(String shell)
      throws Exception {
    host.path(System.getenv("PATH"), "sh", shell);
    LockedHost.Started run =
        start(
            "--name killed -- bash -c",
            "set -m; trap '' TERM; sleep 300 & (trap '' TERM; sleep 300) & set +m; sleep 300 &"
                + " echo $$ >began; wait; sleep 300");
    host.awaitFile("began");
    assertThat(host.running()).hasSizeGreaterThan(4);

    run.signal("KILL");

    await().untilAsserted(() -> assertThat(host.running()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143, told", "INT, 130, told-int"})
  void asManySignalsAsItGetsTheCommandGets(String signal, int exitCode, String told)
      throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      // A lease that no standstill of this process outlasts: it would end that first.
      Path file = site.writeWithRedis(redis, "expiry = 10m");
      LockedHost.Started run =
          host.lockRun(file, "--kind redis --name s --grace 10s -- sh -c", STORY);
      host.awaitFile("began");

      run.signal(signal);

      Run ended = run.ended().exits(exitCode);
      assertThat(host.awaitFile(told)).isEqualTo("told");
      assertThat(lastLine(ended))
          .isEqualTo(
              "recorder: lock s: the command was ended with SIG%s and SIGKILL, as this process was told"
                  .formatted(signal));
      LockedHost.lockRunHere(file, "--kind redis --name s -- true").exits(0);
    }
  }

  @Test
  void whoWaitsForALockCanBeStopped() throws Exception {
    LockedHost.Started first = start("--name w -- sh -c", LockedHost.WAITS);
    host.awaitFile("began");
    LockedHost.Started waiting = start("--name w --wait 1h -- touch never");
    awaitWaiter("w");

    waiting.signal("TERM");

    waiting.ended().exits(143);
    assertThat(Files.exists(host.file("never"))).isFalse();
    Files.createFile(host.file("go"));
    first.ended().exits(0);
  }

  // ---- mutex, timeout

  @Test
  void aMutexStaysTakenUntilSomebodyHasLookedWhyItsCommandFailed() throws Exception {
    assertThat(here("--kind mutex --name it's -- true")).isEqualTo(new Run(0, "", ""));
    here("--kind mutex --name it's -- false")
        .exits(1)
        .says(
            "stays taken until an operator releases it: 'recorder lock release --kind mutex --name"
                + " 'it'\\''s' --force'");
    here("--kind mutex --name it's -- touch", host.file("never").toString())
        .exits(75)
        .says("lock it's: not acquired: taken by host-a since 2");
    assertThat(Files.exists(host.file("never"))).isFalse();
    operator("release --kind mutex --name it's").exits(75);
    operator("release --kind mutex --name it's --force")
        .exits(0)
        .prints("lock it's: released; it was taken by host-a since 2");
    here("--kind mutex --name it's -- true").exits(0);
  }

  @Test
  void aTimeoutIsDueOnceInItsTimeAndAtOnceWhenReleased() throws Exception {
    String daily = "--kind timeout --every 24h --name daily -- ";

    assertThat(here(daily + "true")).isEqualTo(new Run(0, "", ""));
    assertThat(here(daily + "true").exits(75).err())
        .matches(
            "recorder: lock daily: not acquired: not due before \\S+Z; host-a had it at \\S+Z\n");
    JsonNode shown = operator("show --kind timeout --name daily -o json").json();
    assertThat(shown.get("state").asText()).isEqualTo("not due");
    assertThat(shown.get("due_at").asText()).isNotEmpty();
    assertThat(operator("release --kind timeout --name daily").out())
        .startsWith("lock daily: due at once; host-a had it at ");
    here(daily + "false").exits(1);
    here(daily + "true").exits(75);
  }

  @Test
  void theNameOfAnAdvisoryLockIsShownAndNoneThatIsNotIts() throws Exception {
    LockedHost.Started running = start("--name nightly -- sh -c", LockedHost.WAITS);
    host.awaitFile("began");
    Run listed = operator("list --kind advisory");
    Run shown = operator("show --name nightly");
    JsonNode json = operator("list --kind advisory -o json").json().get(0);
    site.execute("UPDATE recorder.lock_name SET name = 'payroll'");
    Run lied = operator("list --kind advisory");
    Run asked = operator("show --name nightly");
    Files.createFile(host.file("go"));

    listed.prints(" nightly ").doesNotPrint("key ");
    shown.prints(" nightly ").doesNotPrint("key ");
    assertThat(json.get("lock").asText()).isEqualTo("nightly");
    assertThat(json.get("key").asText()).matches("[0-9a-f]{16}");
    lied.prints("key ").doesNotPrint("payroll");
    asked.prints(" nightly ").doesNotPrint("payroll");
    running.ended().exits(0);
  }

  @Test
  void onceADayIsOncePerDateOfItsZoneHoweverLateTheLastRunWas() throws Exception {
    String daily = "--quiet --kind timeout --every day@Europe/Berlin --name dated -- touch";
    here(daily, host.file("first").toString()).exits(0);
    Run again = here(daily, host.file("again").toString());
    // As if it had been late, by hand, on the day before: less than 24 hours ago.
    site.execute(
        """
        UPDATE recorder.lock_timeout SET ts = due_at - interval '1 day 1 minute',
          due_at = due_at - interval '1 day'
        """);

    assertThat(again).isEqualTo(new Run(75, "", ""));
    here(daily, host.file("next").toString()).exits(0);
    assertThat(List.of("first", "again", "next"))
        .filteredOn(name -> Files.exists(host.file(name)))
        .containsExactly("first", "next");
  }

  @Test
  void quietDoesNotHideThatNoHostHasThisTurn() throws Exception {
    String daily = "--quiet --kind timeout --every 24h --name nightly -- true";
    here(daily).exits(0);
    Run beside = here(daily);
    site.execute(
        """
        UPDATE recorder.lock_timeout SET ts = ts - interval '11 hours',
          due_at = due_at - interval '11 hours'
        """);

    Run later = here(daily);

    assertThat(beside).isEqualTo(new Run(75, "", ""));
    assertThat(later.exits(75).err())
        .matches(
            "recorder: lock nightly: not acquired: not due before \\S+Z; host-a had it at \\S+Z;"
                + " so no host runs it now: --every day@ZONE counts days, not hours since the last"
                + " run\n");
  }

  @ParameterizedTest
  @CsvSource({
    "day, 'needs a time zone: write day@Europe/Berlin'",
    "day@Nowhere/Land, Unknown time-zone ID",
    "day@UTC+2, is no name of a region",
    "fortnight@UTC, is not a duration"
  })
  void aCalendarThatDoesNotExistIsWrongUsage(String every, String said) throws Exception {
    here("--kind timeout --every " + every + " --name n -- true").exits(2).says(said);
  }

  @Test
  void aCommandThatTakesLongerThanItsTurnIsLeftToItsEnd() throws Exception {
    here("--kind timeout --every 1s --name long -- sh -c", "sleep 2")
        .exits(0)
        .printsNothing()
        .saysOnly(
            "recorder: lock long: the command took longer than its turn; another process may have"
                + " had one meanwhile\n");
  }

  @ParameterizedTest
  @CsvSource({"mutex, ''", "timeout, --every 1h"})
  void retriesAreUsedUpAndGivenAnew(String kind, String every) throws Exception {
    String lock = "--kind " + kind + " --queue q --name r --retries 1";
    String once = (lock + " " + every).strip() + " -- true";

    here(once).exits(0);
    here(once)
        .exits(75)
        .saysOnly(
            """
            recorder: lock q/r: not acquired: its retries are used up; 'recorder lock release \
            --kind %s --name r --queue q --retries N' allows more
            """
                .formatted(kind));
    operator("release " + lock).exits(0);
    here(once).exits(0);
  }

  // ---- Redis

  @Test
  void aKeyOfRedisIsALockToo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path file = site.writeWithRedis(redis, "expiry = 15s");
      String lock = "--kind redis --name feed";
      String token = lock + " -- printenv RECORDER_LOCK_TOKEN";

      LockedHost.Started first = host.lockRun(file, lock + " -- sh -c", STORY);
      host.awaitFile("began");
      Run second = LockedHost.lockRunHere(file, lock + " -- true");
      JsonNode listed = operator(file, "list --kind redis -o json").json();
      JsonNode shown = operator(file, "show -o json " + lock).json();
      Run timid = operator(file, "release " + lock);
      Run force = operator(file, "release --force " + lock);
      Run lost = first.ended();
      Run free = operator(file, "show " + lock);
      Run third = host.lockRun(file, token).ended();
      redis.kill();
      redis.restart();
      Run afterLoss = host.lockRun(file, token).ended();

      assertThat(second.exits(75).err())
          .matches(
              "recorder: lock feed: not acquired: host-a holds it, for \\d+ ms unless it is"
                  + " renewed\n");
      assertThat(listed).hasSize(1);
      assertThat(listed.get(0).get("lock").asText()).isEqualTo("feed");
      assertThat(shown.get("remaining_ms").asLong()).isBetween(1L, 15_000L);
      timid.exits(75);
      force.printsOnly("lock feed: released; host-a had it\n");
      assertThat(lastLine(lost.exits(76))).startsWith("recorder: lock feed: lost: revoked: ");
      free.printsOnly("lock feed: no process has it\n");
      long tokenOfThird = Long.parseLong(third.exits(0).out().strip());
      assertThat(tokenOfThird).isGreaterThan(shown.get("token").asLong());
      assertThat(Long.parseLong(afterLoss.out().strip()))
          .as("of a Redis that has forgotten all")
          .isGreaterThan(tokenOfThird);
    }
  }

  @Test
  void whatCanBeReachedIsListedAndWhatCannotIsNamed() throws Exception {
    Path noRedis = site.write("no-redis.ini", site.text() + "[redis]\nendpoint=::1\nport=1\n");
    site.execute("INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('books', true)");

    Run partly = Run.command(noRedis, "lock", "list", "-o", "json");
    Run rows = Run.command(noRedis, "lock", "list", "--kind", "mutex");
    Run keys = Run.command(noRedis, "lock", "list", "--kind", "redis");

    partly.exits(69);
    assertThat(partly.json()).hasSize(1);
    assertThat(partly.json().get(0).get("lock").asText()).isEqualTo("books");
    partly
        .saysFirst("recorder: locks of kind redis are not shown: cannot connect to redis://::1:1")
        .inOneLine();
    rows.exits(0).prints("books");
    assertThat(keys).isEqualTo(new Run(69, "", partly.err()));
  }

  @Test
  void keysAreListedThoughTheDatabaseIsNotThere() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path noDatabase =
          site.write(
              "no-database.ini",
              site.textWithPort(1)
                  + "[redis]\nendpoint = 127.0.0.1\nport = %d\n".formatted(redis.port()));
      redis.ask("SET", "recorder:lock:{feed}", "host-b:1", "PX", "60000");

      Run.command(noDatabase, "lock", "list")
          .exits(69)
          .prints("feed")
          .saysFirst(
              "recorder: locks of kind advisory, mutex and timeout are not shown: cannot connect")
          .inOneLine();
    }
  }

  @Test
  void oneTableThatIsMissingHidesNoOtherLocks() throws Exception {
    site.execute("ALTER TABLE recorder.lock_timeout RENAME TO lock_timeout_away");
    site.execute("INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('books', true)");
    try {
      operator("list")
          .exits(78)
          .prints("books")
          .saysFirst("recorder: locks of kind timeout are not shown: the tables of locks are")
          .inOneLine();
    } finally {
      site.execute("ALTER TABLE recorder.lock_timeout_away RENAME TO lock_timeout");
    }
  }

  @Test
  void withoutASectionOnRedisThereIsNoSuchLock() {
    operator("show --kind redis --name feed")
        .exits(2)
        .saysFirst("--kind redis needs a section [redis] with the server's");
  }

  // ---- helpers

  /** The command's own shell may have its word before. */
  private static String lastLine(Run run) {
    List<String> lines = run.err().lines().toList();
    return lines.get(lines.size() - 1);
  }

  private Run run(String line, String... more) throws Exception {
    return start(line, more).ended();
  }

  private static Run here(String line, String... more) {
    return LockedHost.lockRunHere(ini, line, more);
  }

  private LockedHost.Started start(String line, String... more) throws IOException {
    return host.lockRun(ini, line, more);
  }

  private static Run operator(String line) {
    return operator(ini, line);
  }

  private static Run operator(Path file, String line) {
    return Run.command(file, ("lock " + line).split(" "));
  }
}
