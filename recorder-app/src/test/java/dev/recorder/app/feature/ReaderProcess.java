package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;

import dev.recorder.app.harness.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code recorder cat} in a process of its own, its output in a file. */
final class ReaderProcess implements AutoCloseable {
  private final Process process;
  private final Path output;
  private final Path errors;

  private ReaderProcess(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  /** Starts it with the first host's configuration. */
  static ReaderProcess start(Cluster cluster, String... arguments) throws IOException {
    Path output = cluster.file("rows.txt");
    Path errors = cluster.file("errors.txt");
    ProcessBuilder builder = cluster.command(arguments);
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    return new ReaderProcess(builder.start(), output, errors);
  }

  /** What it has written so far, whole lines. */
  List<String> lines() throws IOException {
    String text = Files.readString(output, StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  String errors() throws IOException {
    return Files.readString(errors, StandardCharsets.UTF_8);
  }

  void awaitLines(int count) {
    await(count + " lines").until(() -> lines().size() >= count);
  }

  /** Asks it to end, and gives the exit code that it ends with. */
  int terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
