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

/** Each fault that a person can make has a test, and an entry in docs/runbook.md. */
class BadInputTest {
  private static final Pattern REFERENCE = Pattern.compile("\\b(\\w+)#(\\w+|\\*)");

  private static final Pattern TEST_CLASS = Pattern.compile("`(\\w+)`");

  private static final String FAULTS =
      "recorder-app/src/test/resources/dev/recorder/app/docs/bad-input.txt";

  @Test
  void everyFaultHasTestsThatExist() {
    assertThat(faults()).hasSizeGreaterThan(100);
    for (List<String> fault : faults()) {
      List<MatchResult> references = REFERENCE.matcher(fault.get(2)).results().toList();
      assertThat(references).as(fault.get(0)).isNotEmpty();
      for (MatchResult reference : references) {
        assertThat(missing(reference.group(1), reference.group(2))).as(fault.get(0)).isEmpty();
      }
    }
  }

  @Test
  void whatIsSaidOfAFaultIsInTheRunbook() {
    String runbook = Documents.text("docs/runbook.md");

    assertThat(faults())
        .allSatisfy(fault -> assertThat(runbook).as(fault.get(0)).contains(fault.get(1)));
  }

  @Test
  void everyPlaceWhereCodeOfOthersCouldRunHasTestsThatExist() {
    List<List<String>> places =
        Documents.tableBehind("| Where code of others could run", Documents.text("SECURITY.md"));

    assertThat(places).hasSizeGreaterThan(10);
    for (List<String> place : places) {
      List<MatchResult> tests = TEST_CLASS.matcher(place.get(2)).results().toList();
      assertThat(tests).as(place.get(0)).isNotEmpty();
      for (MatchResult test : tests) {
        assertThat(missing(test.group(1), "*")).as(place.get(0)).isEmpty();
      }
    }
  }

  private static List<List<String>> faults() {
    return Documents.tableBehind("| What is wrong", Documents.text(FAULTS));
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
