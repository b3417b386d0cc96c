package dev.recorder.laws;

import dev.recorder.testing.TestFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TLC, in a JVM of its own: it keeps its state in statics and ends the process when it is done.
 *
 * <p>It works on a copy of the models, since it puts files beside them.
 */
final class ModelChecker implements AutoCloseable {
  private static final Path MODELS = Path.of("..", "docs", "model");

  /** A broken model falls within thousands of states, for which optimised code comes too late. */
  private static final List<String> BRIEF = List.of("-XX:TieredStopAtLevel=1", "-Xmx512m");

  /** Many short-lived states: a large young generation halves the time. */
  private static final List<String> LASTING = List.of("-Xmn512m", "-Xmx2g");

  /** The same for some ten thousands of them. */
  private static final List<String> SOON_DONE =
      List.of("-XX:TieredStopAtLevel=1", "-Xmn512m", "-Xmx2g");

  private static final Duration A_WHILE = Duration.ofMinutes(5);

  private final TestFolder folder = TestFolder.create("model");

  ModelChecker() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(MODELS, "*.{tla,cfg}")) {
      for (Path file : files) {
        Files.copy(file, folder.path().resolve(file.getFileName()));
      }
    }
  }

  /** Visits every state that the configuration can reach. */
  Verdict explore(String model, String configuration, Duration limit) throws Exception {
    List<String> options = limit.compareTo(A_WHILE) > 0 ? LASTING : SOON_DONE;
    return run(model, configuration, options, 2, limit);
  }

  /** Looks for the first violation; by one worker, so that it is the same one each time. */
  Verdict refute(String model, String configuration) throws Exception {
    return run(model, configuration, BRIEF, 1, Duration.ofMinutes(2));
  }

  private Verdict run(
      String model, String configuration, List<String> options, int workers, Duration limit)
      throws Exception {
    File output = folder.path().resolve(configuration + ".out").toFile();
    Process tlc =
        new ProcessBuilder(command(model, configuration, options, workers))
            .directory(folder.path().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    boolean ended;
    try {
      ended = tlc.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      tlc.destroyForcibly();
    }
    String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    if (!ended) {
      throw new AssertionError(configuration + " was not done within " + limit + ":\n" + said);
    }
    return Verdict.of(tlc.exitValue(), said);
  }

  private List<String> command(
      String model, String configuration, List<String> options, int workers) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    // TLC unpacks its standard modules into the temp folder, under fixed names.
    command.addAll(List.of("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + folder.path()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "tlc2.TLC"));
    command.addAll(List.of("-nowarning", "-workers", Integer.toString(workers)));
    command.addAll(List.of("-metadir", folder.path().resolve(configuration).toString()));
    command.addAll(List.of("-config", configuration + ".cfg", model + ".tla"));
    return command;
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
