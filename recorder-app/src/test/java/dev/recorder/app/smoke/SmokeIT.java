package dev.recorder.app.smoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.ServerPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contracts, set-up, takeover, locks, requests and {@code verify} on every server but the chosen
 * one, which all tests run on.
 */
@Execution(ExecutionMode.CONCURRENT)
class SmokeIT {
  /** Only a hang reaches it. */
  private static final long MINUTES = 10;

  @TempDir private Path folder;

  static List<String> others() {
    return ServerPrograms.ALL.stream()
        .filter(server -> !server.equals(ServerPrograms.chosen()))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("others")
  void worksOn(String server) throws Exception {
    Optional<String> missing = ServerPrograms.missing(server);
    missing.ifPresent(why -> System.out.println("smoke on " + server + " is skipped: " + why));
    assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    Path said = folder.resolve("said");
    Process tests =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Each test runs once: what would be optimised is not run again.
                "-XX:TieredStopAtLevel=1",
                "-Dpostgres=" + server,
                "-Drecorder.test.brief=true",
                "-cp",
                System.getProperty("java.class.path"),
                Smoke.class.getName())
            .redirectError(folder.resolve("log").toFile())
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(tests.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      tests.destroyForcibly();
    }

    assertThat(tests.exitValue()).as(Files.readString(said)).isZero();
    try (Stream<String> lines = Files.lines(said)) {
      lines.filter(line -> line.contains(" tests in ")).forEach(System.out::println);
    }
  }
}
