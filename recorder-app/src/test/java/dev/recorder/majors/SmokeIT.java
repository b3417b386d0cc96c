package dev.recorder.majors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.JavaProgram;
import dev.recorder.testing.servers.ServerPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contracts, set-up, takeover, locks, requests and {@code verify} on every server but the chosen
 * one, which all tests run on. All of them run at the same time.
 *
 * <p>Tests run in the order of their names: of this package behind all that take the processors for
 * long, and early enough to be done when the others are.
 */
@Tag("nightly")
class SmokeIT {
  /** Only a hang reaches it. */
  private static final long MINUTES = 10;

  @TempDir private static Path folder;
  private static final Map<String, Process> RUNNING = new HashMap<>();

  static List<String> others() {
    return ServerPrograms.ALL.stream()
        .filter(server -> !server.equals(ServerPrograms.chosen()))
        .toList();
  }

  @BeforeAll
  static void start() throws IOException {
    List<String> classes = Smoke.classes();
    for (String server : others()) {
      if (ServerPrograms.missing(server).isEmpty()) {
        RUNNING.put(server, start(server, classes));
      }
    }
  }

  @AfterAll
  static void stop() {
    RUNNING.values().forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @MethodSource("others")
  void worksOn(String server) throws Exception {
    Optional<String> missing = ServerPrograms.missing(server);
    missing.ifPresent(why -> System.out.println("smoke on " + server + " is skipped: " + why));
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    Process tests = RUNNING.get(server);

    assertThat(tests.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();

    assertThat(tests.exitValue()).as(Files.readString(said(server))).isZero();
    try (Stream<String> lines = Files.lines(said(server))) {
      lines.filter(line -> line.contains(" tests in ")).forEach(System.out::println);
    }
  }

  private static Process start(String server, List<String> classes) throws IOException {
    return JavaProgram.of(Smoke.class, List.of("-Dpostgres=" + server), classes)
        .redirectError(folder.resolve(server + ".log").toFile())
        .redirectOutput(said(server).toFile())
        .start();
  }

  private static Path said(String server) {
    return folder.resolve(server + ".said");
  }
}
