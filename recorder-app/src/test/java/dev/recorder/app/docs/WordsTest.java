package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sources and documents say things in the words of the field, not in those of a hundred years ago.
 */
class WordsTest {
  private static final List<String> FORBIDDEN =
      List.of(
          "to be had",
          "not be had",
          "works? off",
          "worked off",
          "in the midst",
          "ever after",
          "let be",
          "lest",
          "befalls?",
          "br(ings?|ought) forth",
          "told of",
          "tr(y|ies|ied|ying) on",
          "no good answer",
          "goes round",
          "of the past",
          "sees? to it",
          "for want of",
          "at hand",
          "g[eo]ts? on",
          "for ever",
          "but for",
          "be it",
          "time and again",
          "gone on with",
          "not to be (seen|found)",
          "paused no more",
          "is to be (done|said|told|printed)");

  private static final Pattern PHRASE =
      Pattern.compile("(?i)\\b(" + String.join("|", FORBIDDEN) + ")\\b");

  /** An end of a line, with what begins a line of a comment. */
  private static final Pattern LINE_END = Pattern.compile("\\s*\\n\\s*(\\*|//|#|;)?\\s*");

  @Test
  void nobodyHasToReadSentencesTwice() {
    List<Path> files =
        Stream.of(
                Documents.all().stream(),
                files("recorder-core/src/main", ".java"),
                files("recorder-app/src/main", ".java"),
                files("conf", ".ini"),
                files("ops", ".yml"),
                files("ops", ".json"))
            .flatMap(found -> found)
            .toList();

    assertThat(files).hasSizeGreaterThan(500);
    assertThat(files).flatMap(WordsTest::phrasesOf).isEmpty();
  }

  private static Stream<Path> files(String folder, String ending) {
    return Documents.files(Documents.path(folder), ending).stream();
  }

  private static List<String> phrasesOf(Path file) {
    String text = LINE_END.matcher(Documents.text(file)).replaceAll(" ");
    Matcher phrase = PHRASE.matcher(text);
    return phrase.results().map(at -> file.getFileName() + ": " + about(text, at.start())).toList();
  }

  private static String about(String text, int at) {
    return text.substring(Math.max(0, at - 30), Math.min(text.length(), at + 50));
  }
}
