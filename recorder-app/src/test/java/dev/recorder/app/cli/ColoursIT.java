package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.app.harness.Product;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colours are for people, and for those of them who want colours. */
class ColoursIT {
  private static final String ESCAPE = "\u001b";

  /** Gives a program a terminal. */
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir private Path folder;

  @Test
  void helpHasColoursOnATerminalOnly() throws Exception {
    assertThat(piped("--help")).contains("Usage").doesNotContain(ESCAPE);
    assertThat(onATerminal("--help", Map.of())).contains("Usage").contains(ESCAPE);
  }

  @Test
  void noneWhereTheUserWantsNone() throws Exception {
    assertThat(onATerminal("--help", Map.of("NO_COLOR", "1")))
        .contains("Usage")
        .doesNotContain(ESCAPE);
  }

  @Test
  void aMessageHasNoColoursInAFile() throws Exception {
    Path file = folder.resolve("err");

    assertThat(onATerminal("no-such-command 2>" + file, Map.of())).isEmpty();

    assertThat(Files.readString(file)).contains("no-such-command").doesNotContain(ESCAPE);
  }

  private String piped(String arguments) throws Exception {
    return output(new ProcessBuilder("sh", "-c", line(arguments)), Map.of());
  }

  private String onATerminal(String arguments, Map<String, String> environment) throws Exception {
    assumeThat(SCRIPT).as("util-linux").isExecutable();
    return output(
        new ProcessBuilder(SCRIPT.toString(), "-qc", line(arguments), "/dev/null"), environment);
  }

  private String line(String arguments) {
    return Product.command(folder, List.of()).command().stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "))
        + " "
        + arguments;
  }

  private static String output(ProcessBuilder builder, Map<String, String> environment)
      throws Exception {
    Map<String, String> all = builder.redirectErrorStream(true).environment();
    all.keySet().removeAll(List.of("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"));
    all.put("TERM", "xterm");
    all.putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
