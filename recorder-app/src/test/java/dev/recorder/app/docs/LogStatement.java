package dev.recorder.app.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A statement of the sources that logs an event.
 *
 * @param event the constant
 * @param places how many the message has for arguments
 * @param arguments what stands behind the message
 */
record LogStatement(String where, String level, String event, int places, int arguments) {
  private static final Pattern CALL =
      Pattern.compile(
          "log\\.(debug|info|warn|error)\\(\\s*(?:LogEvent|AppEvent)\\.(\\w+),\\s*"
              + "(\"(?:[^\"\\\\]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\]|\\\\.)*\")*)");

  /** All that name their event where they stand. */
  static List<LogStatement> all() {
    return sources().stream().flatMap(LogStatement::of).toList();
  }

  static List<Path> sources() {
    return Stream.of("recorder-core/src/main", "recorder-app/src/main")
        .flatMap(folder -> Documents.files(Documents.path(folder), ".java").stream())
        .toList();
  }

  private static Stream<LogStatement> of(Path source) {
    String code = Documents.text(source);
    Matcher call = CALL.matcher(code);
    Stream.Builder<LogStatement> found = Stream.builder();
    while (call.find()) {
      found.add(
          new LogStatement(
              source.getFileName() + ": " + call.group(3),
              call.group(1).toUpperCase(Locale.ROOT),
              call.group(2),
              call.group(3).split("\\{}", -1).length - 1,
              arguments(code, call.end())));
    }
    return found.build();
  }

  /** Commas outside of parentheses and texts, until the statement's own parenthesis ends. */
  private static int arguments(String code, int from) {
    int depth = 0;
    int commas = 0;
    boolean text = false;
    for (int at = from; depth >= 0; at++) {
      char letter = code.charAt(at);
      if (letter == '"' && code.charAt(at - 1) != '\\') {
        text = !text;
      } else if (!text) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        commas += letter == ',' && depth == 0 ? 1 : 0;
      }
    }
    return commas;
  }
}
