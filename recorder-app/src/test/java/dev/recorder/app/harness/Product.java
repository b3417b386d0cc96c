package dev.recorder.app.harness;

import dev.recorder.testing.ShownErrors;
import dev.recorder.testing.servers.S3Server;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The product as it ships, to be run in a JVM of its own as {@code scripts/recorder} would. */
public final class Product {
  /**
   * Set for tests, whose hosts live for seconds: to optimise them would take longer than they run.
   */
  private static final String BRIEF = "recorder.test.brief";

  /**
   * What {@code scripts/recorder} adds for a host with a heap of up to 8 GiB, as all of ours have.
   */
  private static final List<String> AS_LAUNCHED =
      List.of(
          "-Xms32m",
          "-XX:MetaspaceSize=64m",
          "-XX:CompileThresholdScaling=3",
          "-XX:+UseSerialGC",
          "-XX:MinHeapFreeRatio=70",
          "-XX:MaxHeapFreeRatio=85");

  private Product() {}

  /** A command line; {@code temp} is where the JVM keeps its temporary files. */
  public static ProcessBuilder command(Path temp, List<String> arguments) {
    return command(temp, List.of(), List.of(), arguments);
  }

  /** The same with options of the JVM, and with jars behind the product's on the class path. */
  static ProcessBuilder command(
      Path temp, List<String> jvm, List<Path> handlers, List<String> arguments) {
    return command(temp, jvm, new ClassPath(List.of(), handlers), arguments);
  }

  /** What stands before and behind the product's jars. */
  record ClassPath(List<Path> before, List<Path> behind) {
    @Override
    public String toString() {
      return Stream.of(before.stream(), Stream.of(lib().resolve("*")), behind.stream())
          .flatMap(paths -> paths)
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  static ProcessBuilder command(
      Path temp, List<String> jvm, ClassPath classPath, List<String> arguments) {
    List<String> line = new ArrayList<>(signalsAsUsual());
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("-XX:+ExitOnOutOfMemoryError");
    // A killed JVM would leave its performance counters in the temporary folder of the system.
    line.add("-XX:-UsePerfData");
    line.add("-Djava.io.tmpdir=" + temp);
    if (Boolean.getBoolean(BRIEF)) {
      line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      line.add("-Drecorder.warm-up.rounds=0");
      // To race for the store five times is an eighth of a short life, and as much of the store's.
      line.add("-Drecorder.store-test.races=1");
      // Half of a short life is compiling: with five times the thresholds it is a sixth cheaper.
      line.add("-XX:CompileThresholdScaling=5");
      line.addAll(ClassArchive.options());
    } else if (arguments.indexOf("run") == 0) {
      line.addAll(AS_LAUNCHED);
    }
    line.addAll(jvm);
    line.add("-cp");
    line.add(classPath.toString());
    line.add("dev.recorder.app.cli.Main");
    line.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(line).directory(temp.toFile());
    builder.environment().putAll(S3Server.environment());
    builder.environment().put("TMPDIR", temp.toString());
    return builder;
  }

  /**
   * A process inherits that SIGHUP is ignored, as under nohup, or SIGINT, as in a background job,
   * and a JVM keeps to it. The hosts of a story are not started like that.
   */
  private static List<String> signalsAsUsual() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      boolean ignored =
          lines
              .filter(line -> line.startsWith("SigIgn:"))
              .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 3) != 0);
      return ignored ? List.of("env", "--default-signal=HUP,INT") : List.of();
    } catch (IOException notLinux) {
      return List.of();
    }
  }

  /** What a command ended with. */
  public record Outcome(int exitCode, String output) {}

  /** Runs a command to its end, with these options of the JVM. */
  static Outcome run(Path temp, List<String> jvm, List<String> arguments)
      throws InterruptedException {
    try {
      Process process = ShownErrors.of(command(temp, jvm, List.of(), arguments));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes with each build. */
  static long stamp() throws IOException {
    try (Stream<Path> jars = Files.list(lib())) {
      return jars.map(Path::toFile).mapToLong(File::lastModified).max().orElseThrow();
    }
  }

  /** Where the build puts the product: beside the folder of this class. */
  public static Path lib() {
    try {
      Path tests =
          Path.of(Product.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path lib = tests.resolveSibling("recorder").resolve("lib");
      if (!Files.isDirectory(lib)) {
        throw new IllegalStateException(lib + " is not there: run mvn package first");
      }
      return lib;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
