package dev.recorder.app.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.diagnosis.Note.NoteKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** WARN and ERROR mean that somebody should act: docs/runbook.md says how, for each of them. */
class RunbookTest {
  private static final Pattern CALL =
      Pattern.compile("log\\.(?:warn|error)\\(\\s*\\w+(?:\\.\\w+)?,\\s*");
  private static final Pattern TEXT = Pattern.compile("\\G\\s*\\+?\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

  @Test
  void everyWarningAndErrorHasAnEntry() {
    String runbook = Documents.text("docs/runbook.md");

    List<String> messages = messages();

    assertThat(messages).hasSizeGreaterThan(5);
    assertThat(messages).filteredOn(message -> !entry(message).matcher(runbook).find()).isEmpty();
  }

  @Test
  void everyNoteLeadsToARowThatSaysWhatToDo() {
    for (NoteKind kind : NoteKind.values()) {
      String[] place = kind.place().split("#", 2);

      assertThat(Documents.text("docs/" + place[0]))
          .as(kind.place())
          .containsPattern("(?m)^\\| <a id=\"" + place[1] + "\"></a>[^|]+( \\| [^|]+){3} \\|$");
    }
  }

  /** The message, with something in place of each parameter. */
  private static Pattern entry(String message) {
    return Pattern.compile(
        Arrays.stream(message.split("\\{}", -1)).map(Pattern::quote).collect(joining(".{1,40}?")));
  }

  private static List<String> messages() {
    return Stream.of("recorder-core/src/main", "recorder-app/src/main")
        .flatMap(folder -> Documents.files(Documents.path(folder), ".java").stream())
        .flatMap(RunbookTest::messagesOf)
        .filter(message -> !message.equals("{}"))
        .toList();
  }

  private static Stream<String> messagesOf(Path source) {
    String code = Documents.text(source);
    return CALL.matcher(code).results().map(MatchResult::end).map(at -> literal(code, at));
  }

  private static String literal(String code, int from) {
    Matcher part = TEXT.matcher(code).region(from, code.length());
    StringBuilder message = new StringBuilder();
    while (part.find()) {
      message.append(part.group(1));
    }
    return message.toString();
  }
}
