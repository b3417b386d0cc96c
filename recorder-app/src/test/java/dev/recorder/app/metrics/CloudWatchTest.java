package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.docs.Documents;
import dev.recorder.app.metrics.EmfFormat.Datum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sample alarms for CloudWatch, judged on what a host prints. */
class CloudWatchTest {
  private static final Map<String, String> SITE = Map.of("Site", "s");

  private final JsonNode alarms;
  private final PrintedSite site = new PrintedSite();

  CloudWatchTest() throws Exception {
    alarms = new ObjectMapper().readTree(Documents.text("ops/cloudwatch.json")).get("Resources");
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("RecorderNobodyExports", site -> site.silent = true),
        fault("RecorderNobodyRecords", site -> site.holder = "nobody"),
        fault("RecorderNobodyRecords", site -> site.silent = true),
        fault("RecorderNobodyProcesses", site -> site.requestsAble = false),
        fault("RecorderRowsWait", site -> site.oldestSeconds = 121),
        fault("RecorderStuck", site -> site.stuck = true),
        fault("RecorderStandsStill", site -> site.standsStillSeconds = 31),
        fault("RecorderHeldUp", site -> site.heldUp = true),
        fault("RecorderVerifyFailed", site -> site.faults = 1),
        fault("RecorderFewAbleHosts", site -> site.otherIsAlive = false),
        fault("RecorderMisconfigured", site -> site.bothPrimary = true),
        fault("RecorderFilesDiffer", site -> site.otherFile = "other"),
        fault("RecorderReloadFailed", site -> site.reloads.failed()),
        fault("RecorderTakeover", site -> site.machine.log("orders").tookOver("died", 2, null)),
        fault("RecorderLocksLost", site -> site.machine.sessionLost()),
        fault("RecorderRequestsFail", site -> site.machine.requests("jobs").settled(0, 1)),
        fault("RecorderXminHeld", site -> site.xminSeconds = 601),
        fault("RecorderClearingBehind", site -> site.clearingSeconds = 3601),
        fault("RecorderTableLate", site -> site.tableIsLate = true),
        fault("RecorderVerifyLate", site -> site.overdueSeconds = 86_401),
        fault("RecorderDatabaseNotLookedAt", site -> site.looked = false));
  }

  private static Arguments fault(String alarm, Consumer<PrintedSite> fault) {
    return Arguments.of(alarm, fault);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void eachAlarmIsRaisedByItsFault(String alarm, Consumer<PrintedSite> fault) throws Exception {
    fault.accept(site);

    assertThat(raised()).contains(alarm);
  }

  @Test
  void whereAllIsWellNoneIs() throws Exception {
    assertThat(raised()).isEmpty();
  }

  @Test
  void rowsOfAPausedLogMayWaitAndAreToldOfUnderItsOwnName() throws Exception {
    site.oldestSeconds = 121;
    site.paused = true;

    assertThat(raised()).isEmpty();
    assertThat(printed())
        .contains(
            new Datum("OldestWaiting", SITE, 0),
            new Datum("OldestWaiting", Map.of("Site", "s", "Recorder", "orders"), 121));
  }

  @Test
  void whatHasHappenedIsOverInTheNextMinute() throws Exception {
    site.machine.sessionLost();
    site.machine.registered(true);
    assertThat(raised()).containsExactly("RecorderLocksLost");

    assertThat(raised()).isEmpty();
  }

  @Test
  void eachHasItsEntryOfTheRunbookAndEachEntryAnAlarm() {
    List<String> names = new ArrayList<>(Documents.anchored("docs/alerts.md"));
    // One condition in Prometheus, of two figures that CloudWatch judges apart.
    names.add(names.indexOf("RecorderStuck") + 1, "RecorderStandsStill");

    assertThat(alarms.fieldNames()).toIterable().containsExactlyElementsOf(names);
    names.forEach(
        name ->
            assertThat(alarms.get(name).at("/Properties/AlarmDescription").textValue())
                .endsWith(
                    " docs/alerts.md#"
                        + name.replace("StandsStill", "Stuck").toLowerCase(Locale.ROOT)));
  }

  @Test
  void eachHasWhatCloudWatchAsksFor() {
    for (JsonNode alarm : alarms) {
      JsonNode asked = alarm.get("Properties");
      assertThat(alarm.get("Type").textValue()).isEqualTo("AWS::CloudWatch::Alarm");
      assertThat(asked.get("Namespace").textValue()).isEqualTo(EmfLine.NAMESPACE);
      assertThat(asked.at("/Dimensions/0/Name").textValue()).isEqualTo("Site");
      assertThat(asked.at("/Dimensions/0/Value/Ref").textValue()).isEqualTo("Site");
      assertThat(asked.get("Dimensions")).hasSize(1);
      assertThat(asked.get("Period").intValue()).isEqualTo(EmfReport.EVERY.toSeconds());
      assertThat(asked.get("DatapointsToAlarm")).isEqualTo(asked.get("EvaluationPeriods"));
      assertThat(asked.get("TreatMissingData").textValue()).isIn("breaching", "notBreaching");
      assertThat(asked.at("/AlarmActions/0/Ref").textValue()).isEqualTo("Topic");
    }
  }

  private List<Datum> printed() throws Exception {
    List<Datum> printed = new ArrayList<>();
    for (String line : site.lines()) {
      printed.addAll(EmfFormat.read(line));
    }
    return printed;
  }

  /** Of alarms that are raised once this minute has lasted for as long as each wants. */
  private List<String> raised() throws Exception {
    List<Datum> printed = printed();
    List<String> raised = new ArrayList<>();
    alarms
        .properties()
        .forEach(
            alarm -> {
              if (isRaised(alarm.getValue().get("Properties"), printed)) {
                raised.add(alarm.getKey());
              }
            });
    return raised;
  }

  /** One host prints, so that the statistic of all is its own figure. */
  private static boolean isRaised(JsonNode alarm, List<Datum> printed) {
    double threshold = alarm.get("Threshold").doubleValue();
    boolean below = alarm.get("ComparisonOperator").textValue().equals("LessThanThreshold");
    return printed.stream()
        .filter(datum -> datum.name().equals(alarm.get("MetricName").textValue()))
        .filter(datum -> datum.dimensions().equals(SITE))
        .findFirst()
        .map(datum -> below ? datum.value() < threshold : datum.value() > threshold)
        .orElse(alarm.get("TreatMissingData").textValue().equals("breaching"));
  }
}
