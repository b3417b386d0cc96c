package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.JavaProgram;
import dev.recorder.testing.ShownErrors;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program of the tests as people start it, with a folder for all temporary files of its own. */
public final class UserProgram implements AutoCloseable {
  private final Path temp;
  private final Process process;

  private UserProgram(Path temp, Process process) {
    this.temp = temp;
    this.process = process;
  }

  /** Starts it; what it says on standard error is shown. */
  public static UserProgram start(Class<?> main, Path temp, String... arguments)
      throws IOException {
    return new UserProgram(temp, ShownErrors.of(builder(main, temp, arguments)));
  }

  /** Starts it; what it says on either is to be read by {@link #awaitLine} and {@link #lines}. */
  public static UserProgram startMerged(Class<?> main, Path temp, String... arguments)
      throws IOException {
    return new UserProgram(temp, builder(main, temp, arguments).redirectErrorStream(true).start());
  }

  private static ProcessBuilder builder(Class<?> main, Path temp, String... arguments) {
    return JavaProgram.of(main, List.of("-Djava.io.tmpdir=" + temp), List.of(arguments));
  }

  public Process process() {
    return process;
  }

  /** What it prints, to its end. */
  public List<String> lines() {
    return process.inputReader().lines().toList();
  }

  /** Waits for a line that contains {@code text}; whatever else it prints does not block it. */
  public void awaitLine(String text) throws IOException {
    BufferedReader lines = process.inputReader();
    String line;
    do {
      line = lines.readLine();
      assertThat(line).as("it ended before: " + text).isNotNull();
    } while (!line.contains(text));
    Thread reader = new Thread(() -> lines.lines().forEach(ignored -> {}), "rest-of-program");
    reader.setDaemon(true);
    reader.start();
  }

  /** Servers and recorders run on folders below {@link #temp}, and say so in their arguments. */
  public void assertNothingStaysBehind() throws IOException {
    Optional<String> left =
        ProcessHandle.allProcesses()
            .filter(each -> each.pid() != process.pid())
            .map(each -> each.info().commandLine().orElse(""))
            .filter(line -> line.contains(temp.toString()))
            .findFirst();
    assertThat(left).isEmpty();
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files).isEmpty();
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
