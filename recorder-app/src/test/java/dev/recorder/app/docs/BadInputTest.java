package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/bad-input.md promises a test for each line: the tests are there. */
class BadInputTest {
  private static final Pattern REFERENCE = Pattern.compile("`(\\w+)#(\\w+|\\*)`");

  @Test
  void everyLineNamesTestsThatExist() {
    List<List<String>> lines =
        Documents.tableBehind("# Bad input", Documents.text("docs/bad-input.md"));

    assertThat(lines).hasSizeGreaterThan(20);
    for (List<String> line : lines) {
      List<MatchResult> references = REFERENCE.matcher(line.get(4)).results().toList();
      assertThat(references).as(line.get(0)).isNotEmpty();
      for (MatchResult reference : references) {
        assertThat(missing(reference.group(1), reference.group(2))).as(line.get(0)).isEmpty();
      }
    }
  }

  /** What is not there of a test; {@code *} stands for any method. */
  private static List<String> missing(String testClass, String method) {
    List<String> missing = new ArrayList<>();
    List<Path> sources =
        Stream.of("recorder-core/src/test", "recorder-app/src/test")
            .map(Documents::path)
            .flatMap(folder -> Documents.files(folder, "/" + testClass + ".java").stream())
            .toList();
    if (sources.size() != 1) {
      missing.add(testClass + " is there " + sources.size() + " times");
    } else if (!method.equals("*") && !isTest(Documents.text(sources.get(0)), method)) {
      missing.add(testClass + " has no test " + method);
    }
    return missing;
  }

  /** Whether the annotations that stand before the method, whatever they hold, make it a test. */
  private static boolean isTest(String source, String method) {
    Matcher found = Pattern.compile("\\n  (public )?void " + method + "\\(").matcher(source);
    while (found.find()) {
      String before = source.substring(0, found.start());
      String annotations = before.substring(before.lastIndexOf("\n  }\n") + 1);
      if (annotations.contains("\n  @Test") || annotations.contains("\n  @ParameterizedTest")) {
        return true;
      }
    }
    return false;
  }
}
