package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.app.docs.Documents;
import dev.recorder.testing.Promtool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus' own tool says of the rules, and of the faults on which they are to fire. */
class AlertsFireTest {
  private static final String RULES = "prometheus-rules.yml";
  private static final String TESTS = "prometheus-rules-test.yml";

  @TempDir private Path folder;

  @BeforeEach
  void requireTheTool() {
    assumeTrue(Promtool.missing().isEmpty(), () -> Promtool.missing().orElse(""));
  }

  @Test
  void theRulesAreRight() throws Exception {
    Promtool.Outcome outcome =
        Promtool.run("check", "rules", Documents.path("ops/" + RULES).toString());

    assertThat(outcome.text()).contains("SUCCESS");
    assertThat(outcome.isGood()).as(outcome.text()).isTrue();
  }

  @Test
  void eachFiresOnItsFaultAndNoneInACalmHourInWhichEveryHostIsRestarted() throws Exception {
    Promtool.Outcome outcome =
        Promtool.run("test", "rules", Documents.path("ops/" + TESTS).toString());

    assertThat(outcome.isGood()).as(outcome.text()).isTrue();
  }

  @Test
  void oneThatDoesNotFireIsNoticed() throws Exception {
    withRules("recorder_reload_ok == 0", "recorder_reload_ok == 2");

    assertThat(textOf("a changed file cannot be used"))
        .contains("FAILED", "alertname: RecorderReloadFailed");
  }

  @Test
  void oneThatFiresWhileHostsAreRestartedIsNoticed() throws Exception {
    withRules("for: 2m", "for: 0s");

    assertThat(textOf("in a calm hour with a rolling restart nothing fires"))
        .contains("FAILED", "got: {alertname=\"RecorderFewAbleHosts\"");
  }

  @Test
  void ifFiguresOfAHostThatIsCutOffCountedThatWouldBeNoticed() throws Exception {
    withRules(" and on (job, instance) max_over_time(recorder_sample_ok[1m:15s]) == 1", "");

    assertThat(
            textOf(
                "a host that is cut off from the database does not hide what the other sees",
                "a host that is cut off from the database raises nothing that is over"))
        .contains(
            "FAILED",
            "alertname: RecorderFewAbleHosts, time: 55m",
            "alertname: RecorderRowsWait, time: 55m",
            "alertname: RecorderHeldUp, time: 55m");
  }

  @Test
  void theEarliestVerificationThatAHostKnowsOfWouldNotDo() throws Exception {
    withRules(
        "max by (recorder) (recorder_verify_overdue", "min by (recorder) (recorder_verify_overdue");

    assertThat(textOf("a log is not verified for a day after it was to be"))
        .contains("FAILED", "alertname: RecorderVerifyLate");
  }

  @Test
  void theLineThatMakesLinksOfTheRunbooksPathsDoesSoInTheRulesAndTheirTests() throws Exception {
    List<String> lines =
        Stream.of("docs/alerts.md", "ops/" + RULES)
            .flatMap(file -> Documents.text(file).lines())
            .filter(line -> line.contains("sed -i "))
            .map(line -> line.replaceFirst("^#? *", ""))
            .distinct()
            .toList();
    assertThat(lines).hasSize(1);
    for (String file : List.of(RULES, TESTS)) {
      Files.copy(Documents.path("ops/" + file), folder.resolve(file));
    }

    Process sed = new ProcessBuilder("bash", "-c", lines.get(0)).directory(folder.toFile()).start();

    assertThat(sed.waitFor()).isZero();
    String linked = Files.readString(folder.resolve(RULES));
    assertThat(linked.lines().filter(line -> line.contains(" runbook_url: https://")))
        .hasSameSizeAs(linked.lines().filter(line -> line.contains("- alert: ")).toList());
    String tests = Files.readString(folder.resolve(TESTS));
    assertThat(textOf(tests, List.of("a changed file cannot be used"))).contains("SUCCESS");
  }

  private void withRules(String what, String instead) throws Exception {
    String rules = Documents.text("ops/" + RULES);
    assertThat(rules).contains(what);
    Files.writeString(folder.resolve(RULES), rules.replace(what, instead));
  }

  /** What the tool prints of these groups alone: all of them take it seconds of a processor. */
  private String textOf(String... groups) throws Exception {
    return textOf(Documents.text("ops/" + TESTS), List.of(groups));
  }

  private String textOf(String tests, List<String> groups) throws Exception {
    List<String> parts = List.of(tests.split("(?m)^(?=  - name: )"));
    StringBuilder some = new StringBuilder(parts.get(0));
    for (String group : groups) {
      assertThat(parts)
          .filteredOn(part -> part.startsWith("  - name: " + group + "\n"))
          .singleElement()
          .satisfies(some::append);
    }
    Path file = Files.writeString(folder.resolve(TESTS), some);
    return Promtool.run("test", "rules", file.toString()).text();
  }
}
