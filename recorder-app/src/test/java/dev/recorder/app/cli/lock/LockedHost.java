package dev.recorder.app.cli.lock;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.ProcessSignal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A host on which commands run under locks: real processes, all of which have a mark in their
 * environment, so that nobody can hide from the test.
 */
public final class LockedHost {
  /** A script that says that it runs, and ends when it is told to. */
  static final String WAITS = "echo >began; while [ ! -e go ]; do sleep 0.1; done";

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final Path folder;
  private final String mark = "LOCK_TEST=" + UUID.randomUUID();
  private String path = System.getenv("PATH");
  private List<String> before = List.of();
  private int runs;

  public LockedHost(Path folder) {
    this.folder = folder;
  }

  /**
   * From now on programs are looked for in a folder of this test's, and then in {@code others}.
   *
   * @param links what is there, as pairs of a name and the program that it stands for
   */
  void path(String others, String... links) throws IOException {
    Path programs = Files.createDirectory(folder.resolve("programs"));
    for (int link = 0; link < links.length; link += 2) {
      Files.createSymbolicLink(programs.resolve(links[link]), found(links[link + 1]));
    }
    path = programs + (others.isEmpty() ? "" : ":" + others);
  }

  /**
   * From now on the programs of others can be seen and not be ended, as by any user but root. This
   * keeps root's other rights, without which it could not read what the build has made.
   *
   * @throws org.opentest4j.TestAbortedException if that is not to be had here
   */
  void mayNotEndOthers() throws Exception {
    before = List.of("setpriv", "--bounding-set", "-kill", "--inh-caps", "-kill");
    List<String> tried = new ArrayList<>(before);
    tried.addAll(List.of("setpriv", "--reuid", "65534", "--clear-groups", "true"));
    Process trial = new ProcessBuilder(tried).redirectErrorStream(true).start();
    String said = new String(trial.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Assumptions.assumeTrue(trial.waitFor() == 0, "another user's process needs root: " + said);
  }

  private static Path found(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(place -> Path.of(place, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /** A process that was started. */
  public record Started(Process process, Path out, Path err) {
    void signal(String name) {
      ProcessSignal.send(name, process.pid());
    }

    public Run ended() throws Exception {
      assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS))
          .as("ended; it said: %s", Files.readString(err))
          .isTrue();
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /**
   * Starts {@code recorder lock run}.
   *
   * @param file the configuration
   * @param line words with blanks between
   * @param more words that may have blanks in them
   */
  public Started lockRun(Path file, String line, String... more) throws IOException {
    return lockRun("", file, line, more);
  }

  Started lockRun(String input, Path file, String line, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("lock", "run", "-c", file.toString()));
    words.addAll(List.of(Run.words(line, more)));
    return start(input, words);
  }

  /**
   * Runs {@code recorder lock run} in this process, which is cheaper: for a command that says
   * nothing, or is not run. Its programs are looked for where this process has them.
   */
  static Run lockRunHere(Path file, String line, String... more) {
    List<String> words = new ArrayList<>(List.of("lock", "run", "-c", file.toString()));
    words.addAll(List.of(Run.words(line, more)));
    try (SignalHandlers kept = SignalHandlers.kept()) {
      return Run.command(words.toArray(String[]::new));
    }
  }

  /** Starts {@code recorder} with these words, in this test's folder. */
  private Started start(String input, List<String> words) throws IOException {
    int run = ++runs;
    Path in = Files.writeString(folder.resolve("in-" + run), input);
    Path out = folder.resolve("out-" + run);
    Path err = folder.resolve("err-" + run);
    ProcessBuilder builder = Product.command(folder, words);
    builder.command().addAll(0, before);
    builder.redirectInput(in.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("PATH", path);
    builder.environment().put(mark.split("=")[0], mark.split("=")[1]);
    return new Started(builder.start(), out, err);
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** What a command wrote into a file, once it is there. */
  String awaitFile(String name) {
    await()
        .untilAsserted(
            () -> assertThat(file(name)).as("what was said: %s", errors()).isNotEmptyFile());
    try {
      return Files.readString(file(name)).strip();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String errors() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int run = 1; run <= runs; run++) {
      all.append(Files.readString(folder.resolve("err-" + run)));
    }
    return all.toString();
  }

  /** Processes that were started here, also by those that were, and run. */
  List<String> running() throws IOException {
    List<String> running = new ArrayList<>();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      for (Path process :
          processes.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
        if (isMarked(process)) {
          running.add(process.getFileName() + " " + text(process.resolve("cmdline")).strip());
        }
      }
    }
    return running;
  }

  private boolean isMarked(Path process) {
    return text(process.resolve("environ")).contains(mark);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).replace('\0', ' ');
    } catch (IOException gone) {
      return "";
    }
  }

  /** Kills what is left, so that a test that fails leaves nothing to the next one. */
  public void clear() throws IOException {
    for (String process : running()) {
      long pid = Long.parseLong(process.substring(0, process.indexOf(' ')));
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
