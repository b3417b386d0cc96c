package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads a line as CloudWatch does, by the rules of its embedded metric format. */
final class EmfFormat {
  /** Of a log event, with what CloudWatch itself adds to it. */
  private static final int MOST_BYTES = 256 * 1024 - 26;

  private static final int MOST_METRICS = 100;
  private static final int MOST_DIMENSIONS = 30;
  private static final Set<String> UNITS = Set.of("Count", "Seconds", "Bytes", "None");
  private static final ObjectMapper JSON = new ObjectMapper();

  private EmfFormat() {}

  /**
   * A figure as CloudWatch keeps it.
   *
   * @param dimensions their values by name
   */
  record Datum(String name, Map<String, String> dimensions, double value) {}

  /** What CloudWatch takes from a line; fails if it would refuse it. */
  static List<Datum> read(String line) throws Exception {
    assertThat(line).doesNotContain("\n").startsWith("{");
    assertThat(line.getBytes(StandardCharsets.UTF_8).length).isLessThan(MOST_BYTES);
    JsonNode root = JSON.readTree(line);
    assertThat(root.at("/_aws/Timestamp").isIntegralNumber()).isTrue();
    JsonNode directives = root.at("/_aws/CloudWatchMetrics");
    assertThat(directives.isArray() && !directives.isEmpty()).isTrue();
    List<Datum> all = new ArrayList<>();
    for (JsonNode directive : directives) {
      assertThat(directive.fieldNames())
          .toIterable()
          .containsExactlyInAnyOrder("Namespace", "Dimensions", "Metrics");
      assertThat(directive.get("Namespace").textValue()).matches("[A-Za-z0-9./_#-]{1,255}");
      assertThat(directive.get("Metrics").size()).isBetween(1, MOST_METRICS);
      for (JsonNode set : directive.get("Dimensions")) {
        Map<String, String> dimensions = dimensions(root, set);
        for (JsonNode metric : directive.get("Metrics")) {
          all.add(datum(root, dimensions, metric));
        }
      }
    }
    Set<String> once = new HashSet<>();
    all.forEach(datum -> assertThat(once.add(datum.name() + datum.dimensions())).isTrue());
    return all;
  }

  private static Map<String, String> dimensions(JsonNode root, JsonNode set) {
    assertThat(set.size()).isBetween(1, MOST_DIMENSIONS);
    Map<String, String> dimensions = new TreeMap<>();
    for (JsonNode name : set) {
      JsonNode value = root.path(name.textValue());
      assertThat(value.isTextual()).as("dimension %s is text", name).isTrue();
      assertThat(value.textValue()).matches("[\\x21-\\x39\\x3b-\\x7e][\\x20-\\x7e]{0,1023}");
      dimensions.put(name.textValue(), value.textValue());
    }
    return dimensions;
  }

  private static Datum datum(JsonNode root, Map<String, String> dimensions, JsonNode metric) {
    String name = metric.get("Name").textValue();
    assertThat(name).matches("[A-Za-z]{1,255}");
    assertThat(UNITS).contains(metric.get("Unit").textValue());
    JsonNode value = root.path(name);
    assertThat(value.isNumber()).as("%s is a number", name).isTrue();
    assertThat(value.doubleValue()).isFinite();
    return new Datum(name, dimensions, value.doubleValue());
  }
}
