package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the sample rules for Prometheus name is there. */
class RulesTest {
  private static final String RULES = Documents.text("ops/prometheus-rules.yml");
  private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: (.*)$");
  private static final Pattern METRIC = Pattern.compile("\\brecorder_[a-z_]+");
  private static final Pattern CHOICE = Pattern.compile("(reason|result)=~?\"([^\"]+)\"");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook: \"(.*)\"$");

  @Test
  void everyMetricThatIsNamedExists() {
    Set<String> known =
        Example.text()
            .lines()
            .filter(line -> line.startsWith("# TYPE "))
            .map(line -> line.split(" ")[2])
            .collect(Collectors.toSet());

    assertThat(expressions()).hasSizeGreaterThan(8);
    assertThat(expressions().stream().flatMap(each -> METRIC.matcher(each).results()))
        .extracting(MatchResult::group)
        .isNotEmpty()
        .isSubsetOf(known);
  }

  @Test
  void everyValueOfALabelThatIsNamedCanCome() {
    String text = Example.text();

    assertThat(expressions().stream().flatMap(each -> CHOICE.matcher(each).results()))
        .isNotEmpty()
        .allSatisfy(
            choice -> {
              for (String value : choice.group(2).split("\\|")) {
                assertThat(text).contains(choice.group(1) + "=\"" + value + "\"");
              }
            });
  }

  @Test
  void everyAlertNamesAHeadingOfTheRunbook() {
    List<String> headings =
        Documents.text("docs/operating.md")
            .lines()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceFirst("^#+ ", ""))
            .toList();

    List<String> named = RUNBOOK.matcher(RULES).results().map(found -> found.group(1)).toList();

    assertThat(named).hasSameSizeAs(expressions()).isSubsetOf(headings);
  }

  private static List<String> expressions() {
    return EXPRESSION.matcher(RULES).results().map(found -> found.group(1)).toList();
  }
}
