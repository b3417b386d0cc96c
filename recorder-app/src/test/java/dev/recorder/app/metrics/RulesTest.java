package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.util.List;
import java.util.Locale;
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
  private static final Pattern USE = Pattern.compile("\\b(recorder_[a-z_]+)(?:\\{[^}]*})?(?=(.*))");
  private static final String COULD_LOOK =
      " and on (job, instance) max_over_time(recorder_sample_ok[1m:15s]) == 1)";
  private static final Pattern CHOICE = Pattern.compile("(reason|result|kind)=~?\"([^\"]+)\"");
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (.*)$");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^ +runbook: docs/alerts.md#(.*)$");

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

  /** A host goes on exporting what it last saw. */
  @Test
  void whatAHostSaysOfAllCountsOnlyWhereItCouldLookWithinTheLastMinute() {
    Set<String> names = LookedAt.metrics();

    List<String> uses =
        expressions().stream()
            .flatMap(each -> USE.matcher(each).results())
            .filter(each -> names.contains(each.group(1)))
            .map(each -> each.group(2))
            .toList();

    assertThat(uses)
        .hasSizeGreaterThan(11)
        .allSatisfy(rest -> assertThat(rest).startsWith(COULD_LOOK));
  }

  @Test
  void everyAlertLeadsToItsEntryOfTheRunbookAndEachEntryHasAnAlert() {
    List<String> entries = Documents.anchored("docs/alerts.md");

    assertThat(found(ALERT)).hasSizeGreaterThan(8).containsExactlyElementsOf(entries);
    assertThat(found(RUNBOOK))
        .containsExactlyElementsOf(
            found(ALERT).stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());
  }

  @Test
  void everyAlertIsTestedOnItsFault() {
    String tests = Documents.text("ops/prometheus-rules-test.yml");

    assertThat(found(ALERT))
        .allSatisfy(
            name ->
                assertThat(tests)
                    .containsPattern(
                        "- alertname: " + name + "\n +eval_time: .*\n +exp_alerts:( &.*)?\n"));
  }

  private static List<String> found(Pattern what) {
    return what.matcher(RULES).results().map(each -> each.group(1)).toList();
  }

  private static List<String> expressions() {
    return found(EXPRESSION);
  }
}
