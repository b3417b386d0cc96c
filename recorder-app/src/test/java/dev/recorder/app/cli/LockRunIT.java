package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** {@code recorder lock run} as a process, and the operator's commands beside it. */
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
    site.start();
    site.stop();
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
    Run run = run("--name", "codes", "--", "sh", "-c", script);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).isEqualTo(said.isEmpty() ? "" : "recorder: lock codes: " + said + "\n");
  }

  @Test
  void aMistakeIsFoundBeforeTheLockIsTaken() throws Exception {
    Path text = Files.writeString(host.file("text"), "no program");

    Run missing = run("--kind=timeout", "--every=24h", "--name=m", "--", "no-such-program");
    Run noProgram = run("--kind=timeout", "--every=24h", "--name=m", "--", text.toString());

    assertThat(missing)
        .isEqualTo(
            new Run(
                127,
                "",
                "recorder: lock m: not taken: there is no no-such-program in any folder of the"
                    + " PATH\n"));
    assertThat(noProgram)
        .isEqualTo(
            new Run(
                126,
                "",
                "recorder: lock m: not taken: " + text + " cannot be executed by this user\n"));
    assertThat(site.ask("SELECT count(*) FROM recorder.lock_timeout")).isEqualTo("0");
  }

  @Test
  void aDatabaseThatIsNotThereHasItsOwnExitCode() throws Exception {
    Path elsewhere =
        site.write("elsewhere.ini", site.text().replaceFirst("port = \\d+", "port = 1"));

    Run run =
        host.start(List.of("lock", "run", "-c", elsewhere.toString(), "--name", "x", "--", "true"))
            .ended();

    assertThat(run.exitCode()).isEqualTo(69);
    assertThat(run.err())
        .startsWith("recorder: lock x: cannot connect to ")
        .hasLineCount(1)
        .doesNotContain("\tat ");
  }

  @Test
  void withoutTheToolsThatGuardItNoCommandIsRun() throws Exception {
    host.path("", "sh", "sh", "mkfifo", "mkfifo", "touch", "touch", "env", "env");

    Run run = run("--kind", "mutex", "--name", "u", "--", "touch", "never");

    assertThat(run)
        .isEqualTo(
            new Run(
                78,
                "",
                "recorder: lock u: there is no setsid on the PATH, without which a command could"
                    + " outlive its lock; install util-linux\n"));
    assertThat(Files.exists(host.file("never"))).isFalse();
    assertThat(site.ask("SELECT count(*) FROM recorder.lock_mutex")).isEqualTo("0");
  }

  @Test
  void withoutTablesARemedyIsNamed() throws Exception {
    site.execute("ALTER SEQUENCE recorder.lock_token RENAME TO lock_token_away");
    try {
      Run advisory = run("--name", "t", "--", "true");
      Run mutex = run("--kind", "mutex", "--name", "t", "--", "true");

      assertThat(List.of(advisory.exitCode(), mutex.exitCode())).containsExactly(78, 78);
      assertThat(advisory.err())
          .isEqualTo(mutex.err())
          .isEqualTo(
              "recorder: lock t: the tables of locks are missing in schema recorder: start a"
                  + " recorder whose role may create them, or let an administrator run the output of"
                  + " 'recorder schema'\n");
    } finally {
      site.execute("ALTER SEQUENCE recorder.lock_token_away RENAME TO lock_token");
    }
  }

  // ---- the command

  @Test
  void theCommandHasItsOwnInputAndTheLocksTokenInItsEnvironment() throws Exception {
    String script = "cat; echo $RECORDER_LOCK_NAME $RECORDER_LOCK_KIND $RECORDER_LOCK_TOKEN $0 $@";
    List<String> words =
        words("run", "--name", "a b", "sh", "-c", script, "@zero", "--verbose", "--", "x");

    Run first = host.start("typed\n", words).ended();
    Run second = host.start("typed\n", words).ended();

    assertThat(first.out()).matches("typed\na b advisory \\d+ @zero --verbose -- x\n");
    assertThat(token(second)).isGreaterThan(token(first));
  }

  private static long token(Run run) {
    return Long.parseLong(run.out().replaceAll("(?s).*advisory (\\d+) .*", "$1"));
  }

  @Test
  void whatTheCommandLeavesRunningEndsWithIt() throws Exception {
    Run run = run("--name", "rest", "--", "sh", "-c", "sleep 300 & echo done");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("done\n");
    assertThat(run.err())
        .isEqualTo("recorder: lock rest: what the command left running was ended with SIGTERM\n");
  }

  // ---- having and waiting

  @Test
  void whoComesSecondIsToldWhoHasItOrWaits() throws Exception {
    LockedHost.Started first =
        start(
            "--name",
            "one",
            "--",
            "sh",
            "-c",
            "echo >began; while [ ! -e go ]; do sleep 0.1; done");
    host.awaitFile("began");

    Run second = run("--name", "one", "--", "true");
    Run quiet = run("--name", "one", "--quiet", "--", "true");
    Run other = run("--name", "other", "--", "true");
    LockedHost.Started waiting = start("--name", "one", "--wait", "30s", "--", "echo", "mine");
    JsonNode shown = awaitWaiter();
    Files.createFile(host.file("go"));

    assertThat(second.exitCode()).isEqualTo(75);
    assertThat(second.err())
        .startsWith("recorder: lock one: not acquired: recorder/host-a/lock from ")
        .endsWith(" holds it\n")
        .hasLineCount(1);
    assertThat(quiet).isEqualTo(new Run(75, "", ""));
    assertThat(other.exitCode()).isZero();
    assertThat(shown.get("state").asText()).isEqualTo("held");
    assertThat(shown.get("holder").asText()).isEqualTo("recorder/host-a/lock");
    assertThat(first.ended().exitCode()).isZero();
    assertThat(waiting.ended()).isEqualTo(new Run(0, "mine\n", ""));
  }

  private JsonNode awaitWaiter() {
    return await()
        .until(
            () -> operator("show", "--name", "one", "-o", "json").json(),
            json -> json.get("waiting").size() == 1);
  }

  @Test
  void theSameNumberAsARecordersKeepsItOut() throws Exception {
    LockedHost.Started run = start("--lockid", "1", "--", "sh", "-c", STORY);
    host.awaitFile("began");

    JsonNode listed = operator("list", "--kind", "advisory", "-o", "json").json();
    Run release = operator("release", "--lockid", "1");
    Run force = operator("release", "--lockid", "1", "--force");

    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).get("recorder").asText()).isEqualTo("orders");
    assertThat(listed.get(0).get("state").asText()).isEqualTo("held");
    assertThat(release.exitCode()).isEqualTo(75);
    assertThat(release.err()).contains("--force terminates that session");
    assertThat(force.exitCode()).as(force.err()).isZero();
    assertThat(force.out()).contains("lock 1: terminated recorder/host-a/lock");
    assertThat(run.ended().exitCode()).isEqualTo(76);
  }

  // ---- ends

  @Test
  void theCommandIsToldToEndWhenTheLockIsLost() throws Exception {
    LockedHost.Started run = start("--name", "lost", "--grace", "1s", "--", "sh", "-c", STORY);
    host.awaitFile("began");

    site.database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
            + " 'recorder/host-a/lock'");
    assertThat(host.awaitFile("told")).isEqualTo("told");

    Run ended = run.ended();
    assertThat(ended.exitCode()).isEqualTo(76);
    assertThat(lastLine(ended))
        .startsWith("recorder: lock lost: lost: session terminated: ")
        .contains("; the command was ended with SIGTERM and SIGKILL; what it did may not");
    assertThat(host.running()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash"})
  void nothingOutlivesARunThatIsKilledNeitherInTheGroupNorInAnotherOfTheSession(String shell)
      throws Exception {
    host.path(System.getenv("PATH"), "sh", shell);
    LockedHost.Started run =
        start(
            "--name",
            "killed",
            "--",
            "bash",
            "-c",
            "set -m; trap '' TERM; sleep 300 & (trap '' TERM; sleep 300) & set +m; sleep 300 &"
                + " echo $$ >began; wait; sleep 300");
    host.awaitFile("began");
    assertThat(host.running()).hasSizeGreaterThan(4);

    run.signal("KILL");

    await().untilAsserted(() -> assertThat(host.running()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143, told", "INT, 130, told-int"})
  void asManySignalsAsItGetsTheCommandGets(String signal, int exitCode, String file)
      throws Exception {
    LockedHost.Started run = start("--name", "s", "--grace", "500ms", "--", "sh", "-c", STORY);
    host.awaitFile("began");

    run.signal(signal);

    Run ended = run.ended();
    assertThat(ended.exitCode()).isEqualTo(exitCode);
    assertThat(host.awaitFile(file)).isEqualTo("told");
    assertThat(lastLine(ended))
        .isEqualTo(
            "recorder: lock s: the command was ended with SIG"
                + signal
                + " and SIGKILL, as this process was told");
    assertThat(run("--name", "s", "--", "true").exitCode()).isZero();
  }

  @Test
  void whoWaitsForALockCanBeStopped() throws Exception {
    LockedHost.Started first =
        start(
            "--name", "w", "--", "sh", "-c", "echo >began; while [ ! -e go ]; do sleep 0.1; done");
    host.awaitFile("began");
    LockedHost.Started waiting = start("--name", "w", "--wait", "1h", "--", "touch", "never");
    await()
        .until(
            () -> operator("show", "--name", "w", "-o", "json").json().get("waiting").size() == 1);

    waiting.signal("TERM");

    assertThat(waiting.ended().exitCode()).isEqualTo(143);
    assertThat(Files.exists(host.file("never"))).isFalse();
    Files.createFile(host.file("go"));
    assertThat(first.ended().exitCode()).isZero();
  }

  // ---- mutex, timeout

  @Test
  void aMutexStaysTakenUntilSomebodyHasLookedWhyItsCommandFailed() throws Exception {
    Run good = run("--kind", "mutex", "--name", "it's", "--", "true");
    Run failed = run("--kind", "mutex", "--name", "it's", "--", "false");
    Run next = run("--kind", "mutex", "--name", "it's", "--", "touch", "never");
    Run timid = operator("release", "--kind", "mutex", "--name", "it's");
    Run release = operator("release", "--kind", "mutex", "--name", "it's", "--force");
    Run again = run("--kind", "mutex", "--name", "it's", "--", "true");

    assertThat(good).isEqualTo(new Run(0, "", ""));
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err())
        .contains(
            "stays taken until somebody has looked: 'recorder lock release --kind mutex --name"
                + " 'it'\\''s' --force'");
    assertThat(next.exitCode()).isEqualTo(75);
    assertThat(next.err()).contains("lock it's: not acquired: taken by host-a since 2");
    assertThat(Files.exists(host.file("never"))).isFalse();
    assertThat(timid.exitCode()).isEqualTo(75);
    assertThat(release.exitCode()).isZero();
    assertThat(release.out()).contains("lock it's: released; it was taken by host-a since 2");
    assertThat(again.exitCode()).isZero();
  }

  @Test
  void aTimeoutIsDueOnceInItsTimeAndAtOnceWhenReleased() throws Exception {
    List<String> daily = List.of("--kind", "timeout", "--every", "24h", "--name", "daily");
    Run first = run(with(daily, "--", "true"));
    Run second = run(with(daily, "--", "true"));
    JsonNode shown = operator("show", "--kind", "timeout", "--name", "daily", "-o", "json").json();
    Run release = operator("release", "--kind", "timeout", "--name", "daily");
    Run third = run(with(daily, "--", "false"));
    Run fourth = run(with(daily, "--", "true"));

    assertThat(first).isEqualTo(new Run(0, "", ""));
    assertThat(second.exitCode()).isEqualTo(75);
    assertThat(second.err())
        .matches(
            "recorder: lock daily: not acquired: not due before \\S+Z; host-a had it at \\S+Z\n");
    assertThat(shown.get("state").asText()).isEqualTo("not due");
    assertThat(shown.get("due_at").asText()).isNotEmpty();
    assertThat(release.out()).startsWith("lock daily: due at once; host-a had it at ");
    assertThat(third.exitCode()).isEqualTo(1);
    assertThat(fourth.exitCode()).isEqualTo(75);
  }

  @Test
  void aCommandThatTakesLongerThanItsTurnIsLeftToItsEnd() throws Exception {
    Run run =
        run("--kind", "timeout", "--every", "1s", "--name", "long", "--", "sh", "-c", "sleep 2");

    assertThat(run)
        .isEqualTo(
            new Run(
                0,
                "",
                "recorder: lock long: the command took longer than its turn; somebody else may have"
                    + " had one meanwhile\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mutex", "timeout"})
  void retriesAreUsedUpAndGivenAnew(String kind) throws Exception {
    List<String> once = new ArrayList<>(List.of("--kind", kind, "--queue", "q", "--name", "r"));
    List<String> operator = List.copyOf(once);
    once.addAll(List.of("--retries", "1"));
    if (kind.equals("timeout")) {
      once.addAll(List.of("--every", "1h"));
    }

    Run first = run(with(once, "--", "true"));
    Run second = run(with(once, "--", "true"));
    Run more = operator("release", operator, "--retries", "1");
    Run third = run(with(once, "--", "true"));

    assertThat(List.of(first.exitCode(), second.exitCode(), more.exitCode(), third.exitCode()))
        .containsExactly(0, 75, 0, 0);
    assertThat(second.err())
        .isEqualTo(
            "recorder: lock q/r: not acquired: its retries are used up; 'recorder lock release"
                + " --kind "
                + kind
                + " --name r --queue q --retries N' allows more\n");
  }

  // ---- Redis

  @Test
  void aKeyOfRedisIsALockToo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      String section = "[redis]\nendpoint = 127.0.0.1\nport = %d\nexpiry = 15s\n";
      Path file = site.write("redis.ini", site.text() + section.formatted(redis.port()));
      List<String> run =
          List.of("lock", "run", "-c", file.toString(), "--kind", "redis", "--name", "feed");
      List<String> operator = List.of("-c", file.toString(), "--kind", "redis");

      LockedHost.Started first = host.start(List.of(with(run, "--", "sh", "-c", STORY)));
      host.awaitFile("began");
      Run second = host.start(List.of(with(run, "--", "true"))).ended();
      JsonNode listed = lock("list", operator, "-o", "json").json();
      JsonNode shown = lock("show", operator, "--name", "feed", "-o", "json").json();
      Run timid = lock("release", operator, "--name", "feed");
      Run force = lock("release", operator, "--name", "feed", "--force");
      Run lost = first.ended();
      Run free = lock("show", operator, "--name", "feed");
      Run third = host.start(List.of(with(run, "--", "printenv", "RECORDER_LOCK_TOKEN"))).ended();
      redis.kill();
      redis.restart();
      Run afterLoss =
          host.start(List.of(with(run, "--", "printenv", "RECORDER_LOCK_TOKEN"))).ended();

      assertThat(second.exitCode()).isEqualTo(75);
      assertThat(second.err())
          .matches(
              "recorder: lock feed: not acquired: host-a holds it, for \\d+ ms unless it is"
                  + " renewed\n");
      assertThat(listed).hasSize(1);
      assertThat(listed.get(0).get("lock").asText()).isEqualTo("feed");
      assertThat(shown.get("remaining_ms").asLong()).isBetween(1L, 15_000L);
      assertThat(timid.exitCode()).isEqualTo(75);
      assertThat(force.out()).isEqualTo("lock feed: released; host-a had it\n");
      assertThat(lost.exitCode()).isEqualTo(76);
      assertThat(lastLine(lost)).startsWith("recorder: lock feed: lost: revoked: ");
      assertThat(free.out()).isEqualTo("lock feed: nobody has it\n");
      assertThat(third.exitCode()).isZero();
      assertThat(Long.parseLong(third.out().strip())).isGreaterThan(shown.get("token").asLong());
      assertThat(Long.parseLong(afterLoss.out().strip()))
          .as("of a Redis that has forgotten all")
          .isGreaterThan(Long.parseLong(third.out().strip()));
    }
  }

  @Test
  void whatCanBeReachedIsListedAndWhatCannotIsNamed() throws Exception {
    Path noRedis = site.write("no-redis.ini", site.text() + "[redis]\nendpoint=::1\nport=1\n");
    site.execute("INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('books', true)");

    Run partly = Run.command(noRedis, "lock", "list", "-o", "json");
    Run rows = Run.command(noRedis, "lock", "list", "--kind", "mutex");
    Run keys = Run.command(noRedis, "lock", "list", "--kind", "redis");

    assertThat(partly.exitCode()).isEqualTo(69);
    assertThat(partly.json()).hasSize(1);
    assertThat(partly.json().get(0).get("lock").asText()).isEqualTo("books");
    assertThat(partly.err())
        .startsWith("recorder: locks of kind redis are not shown: cannot connect to redis://::1:1")
        .hasLineCount(1);
    assertThat(rows.exitCode()).isZero();
    assertThat(rows.out()).contains("books");
    assertThat(keys).isEqualTo(new Run(69, "", partly.err()));
  }

  @Test
  void keysAreListedThoughTheDatabaseIsNotThere() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Path noDatabase =
          site.write(
              "no-database.ini",
              site.text().replaceFirst("port = \\d+", "port = 1")
                  + "[redis]\nendpoint = 127.0.0.1\nport = %d\n".formatted(redis.port()));
      redis.ask("SET", "recorder:lock:{feed}", "host-b:1", "PX", "60000");

      Run run = Run.command(noDatabase, "lock", "list");

      assertThat(run.exitCode()).isEqualTo(69);
      assertThat(run.out()).contains("feed");
      assertThat(run.err())
          .startsWith(
              "recorder: locks of kind advisory, mutex and timeout are not shown: cannot connect")
          .hasLineCount(1);
    }
  }

  @Test
  void oneTableThatIsMissingHidesNoOtherLocks() throws Exception {
    site.execute("ALTER TABLE recorder.lock_timeout RENAME TO lock_timeout_away");
    site.execute("INSERT INTO recorder.lock_mutex (id, acquired) VALUES ('books', true)");
    try {
      Run run = operator("list");

      assertThat(run.exitCode()).isEqualTo(78);
      assertThat(run.out()).contains("books");
      assertThat(run.err())
          .startsWith("recorder: locks of kind timeout are not shown: the tables of locks are")
          .hasLineCount(1);
    } finally {
      site.execute("ALTER TABLE recorder.lock_timeout_away RENAME TO lock_timeout");
    }
  }

  @Test
  void withoutASectionOnRedisThereIsNoSuchLock() {
    Run run = operator("show", "--kind", "redis", "--name", "feed");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("--kind redis needs a section [redis] with the server's");
  }

  private static Run lock(String command, List<String> words, String... more) {
    List<String> all = new ArrayList<>(List.of("lock", command));
    all.addAll(List.of(with(words, more)));
    return Run.command(all.toArray(String[]::new));
  }

  // ---- helpers

  /** The command's own shell may have its word before. */
  private static String lastLine(Run run) {
    List<String> lines = run.err().lines().toList();
    return lines.get(lines.size() - 1);
  }

  private Run run(String... words) throws Exception {
    return start(words).ended();
  }

  private LockedHost.Started start(String... words) throws IOException {
    return host.start(words("run", words));
  }

  private static Run operator(String command, String... words) {
    return Run.command(words(command, words).toArray(String[]::new));
  }

  private static Run operator(String command, List<String> words, String... more) {
    return operator(command, with(words, more));
  }

  private static List<String> words(String command, String... words) {
    List<String> all = new ArrayList<>(List.of("lock", command, "-c", ini.toString()));
    all.addAll(List.of(words));
    return all;
  }

  private static String[] with(List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
