package dev.recorder.testing.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The programs of one PostgreSQL: of a version that comes from Maven's artefacts, which has {@code
 * initdb}, {@code pg_ctl} and {@code postgres} alone, or of the one that is installed here.
 *
 * <p>Thread-safe.
 */
public final class ServerPrograms {
  /** The newest that is installed. */
  public static final String SYSTEM = "system";

  /** Those that the build can have, whether they are there or not. */
  public static final List<String> ALL = List.of("14", "15", "16", "17", "18", SYSTEM);

  private static final String DEFAULT = "15";
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final Map<String, ServerPrograms> OPENED = new ConcurrentHashMap<>();
  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  private final Path folder;

  private ServerPrograms(Path folder) {
    this.folder = folder;
  }

  /**
   * The name of the one that tests use: system property {@code postgres}, else environment variable
   * {@code POSTGRES}, else 15.
   */
  public static String chosen() {
    String variable = System.getenv("POSTGRES");
    return System.getProperty(
        "postgres", variable == null || variable.isBlank() ? DEFAULT : variable);
  }

  /** Why the one of this name cannot be used here; empty if it can. */
  public static Optional<String> missing(String name) {
    if (name.equals(SYSTEM)) {
      return installed().isPresent()
          ? Optional.empty()
          : Optional.of("no PostgreSQL server is installed below " + DEBIAN + " or by pg_config");
    }
    return EmbeddedServer.isThere(name)
        ? Optional.empty()
        : Optional.of(
            "the build has no PostgreSQL "
                + name
                + " in "
                + EmbeddedServer.FOLDER
                + " (it takes them from Maven Central, one of "
                + ALL
                + ")");
  }

  /** Unpacked once per build. */
  public static ServerPrograms of(String name) {
    return OPENED.computeIfAbsent(name, ServerPrograms::open);
  }

  private static ServerPrograms open(String name) {
    missing(name)
        .ifPresent(
            why -> {
              throw new IllegalStateException("-Dpostgres=" + name + ": " + why);
            });
    return new ServerPrograms(
        name.equals(SYSTEM) ? installed().orElseThrow() : EmbeddedServer.unpack(name));
  }

  /** Of the newest installed server, which is what a user of it would run. */
  private static Optional<Path> installed() {
    Installed.awaitAll();
    try (Stream<Path> versions =
        Files.isDirectory(DEBIAN) ? Files.list(DEBIAN) : Stream.<Path>empty()) {
      Optional<Path> newest =
          versions
              .filter(version -> version.getFileName().toString().matches("[0-9]+"))
              .map(version -> version.resolve("bin"))
              .filter(ServerPrograms::hasServer)
              .max(
                  Comparator.comparingInt(
                      bin -> Integer.parseInt(bin.getParent().getFileName().toString())));
      return newest.isPresent() ? newest : byPgConfig();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Optional<Path> byPgConfig() {
    try {
      Process asked = new ProcessBuilder("pg_config", "--bindir").start();
      String said =
          new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      return Optional.of(Path.of(said)).filter(ServerPrograms::hasServer);
    } catch (IOException notInstalled) {
      return Optional.empty();
    }
  }

  private static boolean hasServer(Path bin) {
    return Stream.of("initdb", "pg_ctl", "postgres")
        .allMatch(program -> Files.isExecutable(bin.resolve(program)));
  }

  /** Whether the build has unpacked them, and may keep other things beside them. */
  boolean areOfTheBuild() {
    return folder.startsWith(EmbeddedServer.FOLDER);
  }

  /** Where they are. */
  Path folder() {
    return folder;
  }

  /** Whether there is such a program beside the server. */
  public boolean has(String program) {
    return Files.isExecutable(folder.resolve(program));
  }

  /** Runs one of the programs to its end; a server that it starts goes on. */
  void run(Path log, String program, String... arguments) throws IOException {
    List<String> command = asUser(folder.resolve(program).toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    awaitSuccess(process, program, () -> Files.readString(log));
  }

  /** Runs a client program to its end, and returns what it printed. */
  public String client(Map<String, String> environment, String program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(folder.resolve(program).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    awaitSuccess(process, program, () -> said);
    return said;
  }

  /** PostgreSQL and PgBouncer refuse root, which has another number in a namespace of its own. */
  static List<String> asUser(String program) {
    return new ArrayList<>(ROOT ? List.of("unshare", "-U", program) : List.of(program));
  }

  @FunctionalInterface
  private interface Said {
    String get() throws IOException;
  }

  private static void awaitSuccess(Process process, String program, Said said) throws IOException {
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(program + " hangs: " + said.get());
      }
      if (process.exitValue() != 0) {
        throw new IOException(program + " ended with " + process.exitValue() + ": " + said.get());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(program + " was interrupted", interrupted);
    }
  }
}
