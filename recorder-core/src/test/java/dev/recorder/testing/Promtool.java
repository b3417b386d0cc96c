package dev.recorder.testing;

import dev.recorder.testing.servers.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Prometheus' tool that checks rules and tests them on given series, where it is installed. */
public final class Promtool {
  private static final String PROGRAM = "promtool";

  private Promtool() {}

  /** What it said, and whether it found anything wrong. */
  public record Outcome(boolean isGood, String text) {}

  /** Why there is none; empty if there is. */
  public static Optional<String> missing() {
    return Programs.missing(List.of(PROGRAM)).isEmpty()
        ? Optional.empty()
        : Optional.of("promtool is not installed (Debian's package prometheus)");
  }

  /** Runs it with these words; a file that one names may name others beside it. */
  public static Outcome run(String... words) throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of(PROGRAM), Stream.of(words)).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor() == 0, text);
    } finally {
      process.destroyForcibly();
    }
  }
}
