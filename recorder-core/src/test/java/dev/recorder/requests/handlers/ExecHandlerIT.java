package dev.recorder.requests.handlers;

import static dev.recorder.testing.Patience.await;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.recorder.requests.Outcome;
import dev.recorder.requests.WorkUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real programs, small and mostly ill-behaved. */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class ExecHandlerIT {
  private static final Duration AMPLE = Duration.ofSeconds(30);

  /** Far more than a pipe holds. */
  private static final String LARGE = "\"" + "x".repeat(3_000_000) + "\"";

  @TempDir private Path folder;
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void endThreads() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(10_000);
    }
  }

  @Test
  void aProgramIsGivenTheUnitAndTheEndOfFile() throws Exception {
    Script script = sh("cat >unit");

    assertThat(run(script, Units.create("7", "{\"a\": 1.10}"))).isEqualTo(new Outcome.Complete());

    assertThat(script.wrote("unit"))
        .isEqualTo(
            "{\"recorder\":\"customers\",\"entity\":\"7\","
                + "\"process\":\"01234567-89ab-cdef-0123-456789abcdef\",\"fence\":4711,"
                + "\"requests\":[{\"id\":1,\"type\":\"create\",\"payload\":{\"a\": 1.10},"
                + "\"attempts\":0}]}");
  }

  @Test
  void aProgramHasTheUnitsNamesInItsEnvironment() throws Exception {
    Script script = sh("env | grep ^RECORDER_ | sort >env");

    run(script, Units.create("a 'b' $(c)", "{}"));

    assertThat(script.wrote("env").lines())
        .contains(
            "RECORDER_ENTITY=a 'b' $(c)",
            "RECORDER_FENCE=4711",
            "RECORDER_NAME=customers",
            "RECORDER_PROCESS_ID=01234567-89ab-cdef-0123-456789abcdef");
  }

  @Test
  void anEntityThatCannotBeAVariableIsNone() throws Exception {
    Script script = sh("echo ${RECORDER_ENTITY-none} >entity", "wc -c >count");

    for (String entity : List.of("a\0b", "x".repeat(200_000))) {
      assertThat(run(script, Units.create(entity, "{}"))).isEqualTo(new Outcome.Complete());
      assertThat(script.wrote("entity")).isEqualTo("none");
    }
    assertThat(Integer.parseInt(script.wrote("count").strip())).isGreaterThan(200_000);
  }

  @Test
  void aProgramHasNoArgumentsAndThereIsNoShell() throws Exception {
    Path odd = folder.resolve("a b;$(touch x)'\"*");
    Script script = Script.sh(odd, "echo $# >arguments");

    assertThat(run(script, Units.create("1", "{}"))).isEqualTo(new Outcome.Complete());

    assertThat(script.wrote("arguments")).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource({
    "1, Failed",
    "2, Failed",
    "74, Failed",
    "75, Retry",
    "76, Failed",
    "126, Failed",
    "127, Failed",
    "128, Failed",
    "129, Retry",
    "192, Retry",
    "193, Failed",
    "255, Failed"
  })
  void theExitCodeIsTheOutcome(int code, String outcome) throws Exception {
    Outcome result = run(sh("echo no such customer >&2", "exit " + code), Units.updates(1, 2));

    assertThat(result.getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(why(result)).startsWith("program: exit code " + code).endsWith(": no such customer");
  }

  @ParameterizedTest
  @CsvSource({"TERM, 15", "KILL, 9", "SEGV, 11"})
  void aProgramThatASignalEndsIsTriedAgain(String signal, int number) throws Exception {
    assertThat(run(sh("kill -" + signal + " $$"), Units.updates(1)))
        .isEqualTo(
            new Outcome.Retry(
                "program: exit code %d, as of death by signal %d".formatted(128 + number, number)));
  }

  @Test
  void ofWhatItSaidTheEndIsKeptOnOneLine() throws Exception {
    Script script =
        sh(
            "printf 'first\\n' >&2",
            "i=0; while [ $i -lt 3000 ]; do printf 'x' >&2; i=$((i + 1)); done",
            "printf '\\n\\033[31mred\\000 \\303\\274\\n\\377 end\\n' >&2",
            "echo only for the screen",
            "exit 1");

    String why = why(run(script, Units.updates(1)));

    assertThat(why)
        .hasSize("program: exit code 1: ".length() + 2_000)
        .startsWith("program: exit code 1: xxx")
        .endsWith("xxx [31mred \u00fc \uFFFD end")
        .doesNotContain("first", "screen");
  }

  @Test
  void aProgramNeedNotReadWhatItIsGiven() throws Exception {
    Script script = sh("exit 0");

    assertThat(run(script, Units.create("1", LARGE))).isEqualTo(new Outcome.Complete());
  }

  @Test
  void aProgramMayCloseItsInputAndGoOn() throws Exception {
    Script script = sh("head -c 10 >begin", "exec <&-", "sleep 0.3", "exit 75");

    assertThat(run(script, Units.create("1", LARGE)))
        .isEqualTo(new Outcome.Retry("program: exit code 75"));
    assertThat(script.wrote("begin")).isEqualTo("{\"recorder");
  }

  @Test
  void aProgramMaySayMoreThanAPipeHoldsBeforeItReads() throws Exception {
    Script script =
        sh(
            "head -c 5000000 /dev/zero | tr '\\0' y >&2",
            "head -c 5000000 /dev/zero",
            "wc -c >count",
            "echo last words >&2",
            "exit 1");

    String why = why(run(script, Units.create("1", LARGE)));

    assertThat(why).contains("yyyy").endsWith("ylast words");
    assertThat(Integer.parseInt(script.wrote("count").strip())).isGreaterThan(LARGE.length());
  }

  @Test
  void theLastWordsOfAProgramThatSaysALotAreNotLost() throws Exception {
    Script script = sh("head -c 60000 /dev/zero | tr '\\0' y >&2; echo end >&2; exit 1");

    for (int i = 0; i < 20; i++) {
      assertThat(why(run(script, Units.updates(1)))).endsWith("yyyend");
    }
  }

  @Test
  void overTheTimeLimitTheProgramIsKilledWithAllItStarted() throws Exception {
    Script script =
        sh(
            "trap '' TERM INT HUP",
            "echo $$ >self",
            "sh -c 'echo $$ >child; sleep 50 & echo $! >grandchild; wait' &",
            "echo busy >&2",
            "wait",
            "wait");

    Outcome outcome =
        new ExecHandler(script.path(), Duration.ofSeconds(20)).handle(Units.updates(1));

    for (String process : List.of("self", "child", "grandchild")) {
      assertThat(script.runs(process)).as(process).isFalse();
    }
    assertThat(outcome).isEqualTo(new Outcome.Retry("program: no end within 20 s, killed: busy"));
  }

  @Test
  void interruptedItKillsTheProgramBeforeItReturns() throws Exception {
    Script script =
        sh("sleep 50 & echo $! >child", "echo $$ >self.new", "mv self.new self", "wait");
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    Thread thread =
        thread(
            () -> {
              try {
                run(script, Units.create("1", LARGE));
              } catch (InterruptedException expected) {
                ran.complete(script.runs("self") || script.runs("child"));
              }
              return null;
            });
    await().until(() -> !script.wrote("self").isEmpty());

    thread.interrupt();

    assertThat(ran.get(60, SECONDS)).isFalse();
  }

  /** As the worker does it that calls the handler: it watches over the same limit. */
  @Test
  void whatItSaidIsNotLostToAnInterruptWhenTheLimitIsOver() throws Exception {
    Script script = sh("echo waiting for the printer >&2", "exec sleep 50");
    ExecHandler handler = new ExecHandler(script.path(), Duration.ofSeconds(6));

    assertThat(why(handledUntilInterrupted(handler, Duration.ofSeconds(6))))
        .isEqualTo("program: no end within 6 s, killed: waiting for the printer");
  }

  /**
   * It gives up half a second before. On a busy host that is not enough now and then, as it counts
   * from when its program runs.
   */
  private static Outcome handledUntilInterrupted(ExecHandler handler, Duration limit)
      throws InterruptedException {
    Thread self = Thread.currentThread();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      for (int again = 4; ; again--) {
        Future<?> interrupt = timer.schedule(self::interrupt, limit.toMillis(), MILLISECONDS);
        try {
          return handler.handle(Units.updates(1));
        } catch (InterruptedException late) {
          if (again == 0) {
            throw late;
          }
        } finally {
          interrupt.cancel(false);
        }
      }
    } finally {
      timer.shutdownNow();
      var unused = Thread.interrupted();
    }
  }

  @Test
  void interruptedBeforeItStartsNothing() throws Exception {
    Script script = sh("echo >ran");

    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> run(script, Units.updates(1)));

    assertThat(folder.resolve("ran")).doesNotExist();
  }

  @Test
  void aChildThatIsLeftBehindDoesNotHoldItUp() throws Exception {
    Script script = sh("sleep 50 & echo $! >child", "echo done >&2", "exit 1");

    assertThat(why(run(script, Units.updates(1)))).isEqualTo("program: exit code 1: done");

    script.kill("child");
  }

  @Test
  void aMissingProgramIsWaitedFor() throws Exception {
    assertNotStarted(new Script(folder.resolve("missing")), "there is no such file");
    assertNotStarted(new Script(folder), "there is no such file");
  }

  @Test
  void aProgramThatMayNotBeExecutedIsWaitedFor() throws Exception {
    Script script = Script.of(folder.resolve("plain"), "#!/bin/sh\n", "rw-------");

    assertNotStarted(script, "this user may not execute it");
  }

  private static void assertNotStarted(Script script, String why) throws Exception {
    assertThat(run(script, Units.updates(1)))
        .isEqualTo(
            new Outcome.Retry("program %s cannot be started: %s".formatted(script.path(), why)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProgramWithoutItsInterpreterIsWaitedFor(boolean withSignal) throws Exception {
    Script script = Script.of(folder.resolve("script"), "#!/nonexistent/python\n", "rwx------");
    ParentDeathSignal deathSignal =
        withSignal ? ParentDeathSignal.ofThisHost() : ParentDeathSignal.none();

    assertThat(why(new ExecHandler(script.path(), AMPLE, deathSignal).handle(Units.updates(1))))
        .startsWith("program " + script.path() + " cannot be started: ")
        .contains("No such file or directory");
  }

  @Test
  void aRelativePathIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExecHandler(Path.of("bin/run"), AMPLE));
  }

  @Test
  void manyProgramsRunAtTheSameTimeEachWithItsUnit() throws Exception {
    Script script = sh("cat >unit.$RECORDER_ENTITY", "echo $RECORDER_ENTITY >&2", "exit 1");
    ExecHandler handler = new ExecHandler(script.path(), AMPLE);
    ExecutorService workers = Executors.newFixedThreadPool(8);
    try {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        WorkUnit unit = Units.create("e" + i, "\"" + "p".repeat(100_000) + i + "\"");
        outcomes.add(workers.submit(() -> handler.handle(unit)));
      }
      for (int i = 0; i < 40; i++) {
        assertThat(why(outcomes.get(i).get())).isEqualTo("program: exit code 1: e" + i);
        assertThat(script.wrote("unit.e" + i))
            .contains("\"entity\":\"e" + i + "\"", "p" + i + "\"");
      }
    } finally {
      workers.shutdownNow();
    }
  }

  /** What a JVM runs that is killed while a program works for it. */
  static final class Host {
    private Host() {}

    public static void main(String[] args) throws Exception {
      ParentDeathSignal deathSignal =
          args[1].equals("death-signal")
              ? ParentDeathSignal.ofThisHost()
              : ParentDeathSignal.none();
      // On a pool's thread, as a worker is.
      Executors.newSingleThreadExecutor()
          .submit(
              () -> new ExecHandler(Path.of(args[0]), AMPLE, deathSignal).handle(Units.updates(1)))
          .get();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSIX_SPAWN", "VFORK", "FORK"})
  @EnabledOnOs(OS.LINUX)
  void aProgramDiesWithAJvmThatIsKilled(String launchMechanism) throws Exception {
    assertThat(ParentDeathSignal.ofThisHost().holds()).as("util-linux' setpriv is here").isTrue();
    Script script = sleeper();

    killHost(script, launchMechanism, "death-signal");

    await().until(() -> !script.runs("self"));
  }

  /** Otherwise the test above would prove nothing. */
  @Test
  void withoutADeathSignalItOutlivesTheJvm() throws Exception {
    Script script = sleeper();

    killHost(script, "POSIX_SPAWN", "none");

    Thread.sleep(500);
    assertThat(script.runs("self")).isTrue();
    script.kill("self");
  }

  /** One process, without children, which would be left behind. */
  private Script sleeper() throws IOException {
    return sh("echo $$ >self.new", "mv self.new self", "exec sleep 300");
  }

  private void killHost(Script script, String launchMechanism, String deathSignal)
      throws Exception {
    Process host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-XX:-UsePerfData",
                "-Djdk.lang.Process.launchMechanism=" + launchMechanism,
                "-cp",
                System.getProperty("java.class.path"),
                Host.class.getName(),
                script.path().toString(),
                deathSignal)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("host.log").toFile())
            .start();
    try {
      await().until(() -> !script.wrote("self").isEmpty());
    } finally {
      host.destroyForcibly().waitFor();
    }
  }

  /** The kernel's rule that makes the handler start a program and wait for it on one thread. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theProgramDiesWithTheThreadThatStartsIt() throws Exception {
    Process[] started = new Process[1];
    List<String> command =
        new ArrayList<>(ParentDeathSignal.ofThisHost().command(Path.of("/bin/sleep")));
    command.add("50");
    Thread starter =
        thread(
            () -> {
              started[0] = new ProcessBuilder(command).start();
              await().until(() -> command(started[0]).endsWith("/sleep"));
              return null;
            });

    starter.join();

    assertThat(started[0].waitFor(60, SECONDS)).isTrue();
    assertThat(started[0].exitValue()).isEqualTo(128 + 9);
  }

  @Test
  void aProgramIsNotKilledWhileItsThreadWaitsForIt() throws Exception {
    Script script = sh("sleep 1", "echo $RECORDER_ENTITY >done");
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    thread(() -> outcome.complete(run(script, Units.create("7", "{}")))).join();

    assertThat(outcome.get()).isEqualTo(new Outcome.Complete());
    assertThat(script.wrote("done")).isEqualTo("7");
  }

  private static String command(Process process) {
    return process.info().command().orElse("");
  }

  private Thread thread(Callable<?> work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.call();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    threads.add(thread);
    thread.start();
    return thread;
  }

  private Script sh(String... lines) throws IOException {
    return Script.sh(folder, lines);
  }

  private static Outcome run(Script script, WorkUnit unit) throws InterruptedException {
    return new ExecHandler(script.path(), AMPLE).handle(unit);
  }

  private static String why(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.why();
    }
    return outcome instanceof Outcome.Retry retry ? retry.why() : "";
  }
}
