package dev.recorder.app.cli.status;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

record TerminalSize(int columns, int lines) {
  /** Used without a terminal, or if its size is unknown. */
  static final TerminalSize UNLIMITED = new TerminalSize(Integer.MAX_VALUE, Integer.MAX_VALUE);

  private static final int ANSWERS_WITHIN_SECONDS = 1;

  /** Returns the size of this process's terminal, or else the size in the environment. */
  static TerminalSize now() {
    return ofTerminal().or(() -> of(System.getenv())).orElse(UNLIMITED);
  }

  /** Returns the size from the variables {@code LINES} and {@code COLUMNS}. */
  static Optional<TerminalSize> of(Map<String, String> environment) {
    return parse(
        environment.getOrDefault("LINES", "") + " " + environment.getOrDefault("COLUMNS", ""));
  }

  /** Parses the output of {@code stty size}: lines and columns. */
  static Optional<TerminalSize> parse(String text) {
    String[] words = text.strip().split(" ");
    if (words.length != 2 || !isNumber(words[0]) || !isNumber(words[1])) {
      return Optional.empty();
    }
    return Optional.of(new TerminalSize(Integer.parseInt(words[1]), Integer.parseInt(words[0])));
  }

  private static boolean isNumber(String word) {
    return word.matches("[1-9][0-9]{0,4}");
  }

  private static Optional<TerminalSize> ofTerminal() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!stty.waitFor(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        stty.destroyForcibly();
        return Optional.empty();
      }
      return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException noTerminal) {
      return Optional.empty();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
