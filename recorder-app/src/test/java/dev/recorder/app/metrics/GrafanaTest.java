package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.docs.Documents;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The sample dashboard asks for what is there, and fits together. */
class GrafanaTest {
  private static final Pattern METRIC = Pattern.compile("\\b(recorder|jvm|process)_[a-z_]+");
  private static final Pattern USE = Pattern.compile("\\b(recorder_[a-z_]+)\\{[^}]*}(?=(.*))");
  private static final String COULD_LOOK =
      " and on (job, instance) max_over_time(recorder_sample_ok{job=\"$job\"}[1m:15s]) == 1)";
  private static final int COLUMNS = 24;

  private final JsonNode dashboard;

  GrafanaTest() throws Exception {
    dashboard = new ObjectMapper().readTree(Documents.text("ops/grafana.json"));
  }

  @Test
  void everyMetricThatIsAskedForExists() {
    Set<String> known =
        Example.text()
            .lines()
            .filter(line -> line.startsWith("# TYPE "))
            .map(line -> line.split(" ")[2])
            .collect(Collectors.toSet());

    assertThat(dashboard.findValuesAsText("expr"))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            expr ->
                assertThat(METRIC.matcher(expr).results().map(MatchResult::group))
                    .as(expr)
                    .isNotEmpty()
                    .allMatch(name -> known.contains(name.replaceFirst("_bucket$", ""))));
  }

  @Test
  void everyQueryIsOfTheChosenJob() {
    assertThat(dashboard.findValuesAsText("expr"))
        .allSatisfy(
            expr ->
                assertThat(expr.split("job=\"\\$job\"", -1).length - 1)
                    .as(expr)
                    .isEqualTo(METRIC.matcher(expr).results().count()));
    assertThat(dashboard.at("/templating/list").findValuesAsText("name"))
        .containsExactly("datasource", "job");
  }

  /** A host that is cut off goes on exporting what it last saw, which is not how things are. */
  @Test
  void whatAHostSaysOfAllIsDrawnOnlyWhereItCouldLookWithinTheLastMinute() {
    List<String> uses =
        dashboard.findValuesAsText("expr").stream()
            .flatMap(expr -> USE.matcher(expr).results())
            .filter(use -> LookedAt.metrics().contains(use.group(1)))
            .map(use -> use.group(2))
            .toList();

    assertThat(uses)
        .hasSizeGreaterThan(11)
        .allSatisfy(rest -> assertThat(rest).startsWith(COULD_LOOK));
  }

  @Test
  void panelsHaveNumbersTitlesAndPlacesOfTheirOwn() {
    Set<Integer> ids = new HashSet<>();
    Set<String> titles = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      String title = panel.get("title").textValue();
      assertThat(ids.add(panel.get("id").intValue())).as(title).isTrue();
      assertThat(titles.add(title)).as(title).isTrue();
      assertThat(panel.at("/fieldConfig/defaults/unit").textValue()).as(title).isNotEmpty();
      JsonNode place = panel.get("gridPos");
      assertThat(place.get("x").intValue() + place.get("w").intValue())
          .isLessThanOrEqualTo(COLUMNS);
      for (int x = 0; x < place.get("w").intValue(); x++) {
        for (int y = 0; y < place.get("h").intValue(); y++) {
          String cell = (place.get("x").intValue() + x) + "," + (place.get("y").intValue() + y);
          assertThat(cells.add(cell)).as("%s is alone at %s", title, cell).isTrue();
        }
      }
    }
  }
}
