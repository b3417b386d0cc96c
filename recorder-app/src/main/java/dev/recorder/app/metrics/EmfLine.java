package dev.recorder.app.metrics;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a line in CloudWatch's embedded metric format: metrics, each with the sets of dimensions
 * under which CloudWatch keeps it. Not thread-safe.
 */
final class EmfLine {
  static final String NAMESPACE = "Recorder";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final long atMillis;
  private final Map<String, String> dimensions = new LinkedHashMap<>();
  private final Map<List<List<String>>, List<Metric>> bySets = new LinkedHashMap<>();

  /** The name of the unit in CloudWatch. */
  enum Unit {
    COUNT("Count"),
    SECONDS("Seconds"),
    BYTES("Bytes");

    private final String word;

    Unit(String word) {
      this.word = word;
    }
  }

  private record Metric(String name, Unit unit, double value) {}

  /**
   * Creates an empty line.
   *
   * @param atMillis the time of the metrics, in milliseconds since 1970
   */
  EmfLine(long atMillis) {
    this.atMillis = atMillis;
  }

  /** Adds a member to the line. Metrics may use it as a dimension. */
  EmfLine of(String dimension, String value) {
    dimensions.put(dimension, value);
    return this;
  }

  /** Returns a group of metrics that CloudWatch keeps once for each of these sets of dimensions. */
  FigureGroup under(List<List<String>> sets) {
    return new FigureGroup(bySets.computeIfAbsent(sets, any -> new ArrayList<>()));
  }

  static final class FigureGroup {
    private final List<Metric> metrics;

    private FigureGroup(List<Metric> metrics) {
      this.metrics = metrics;
    }

    FigureGroup count(String name, long value) {
      return add(name, Unit.COUNT, (double) value);
    }

    FigureGroup seconds(String name, double value) {
      return add(name, Unit.SECONDS, value);
    }

    FigureGroup bytes(String name, long value) {
      return add(name, Unit.BYTES, (double) value);
    }

    private FigureGroup add(String name, Unit unit, double value) {
      metrics.add(new Metric(name, unit, value));
      return this;
    }
  }

  /** Returns one line of JSON, without a line break. */
  @Override
  public String toString() {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode aws = root.putObject("_aws").put("Timestamp", atMillis);
    ArrayNode directives = aws.putArray("CloudWatchMetrics");
    dimensions.forEach(root::put);
    bySets.forEach(
        (sets, metrics) -> {
          ObjectNode directive = directives.addObject().put("Namespace", NAMESPACE);
          ArrayNode all = directive.putArray("Dimensions");
          sets.forEach(set -> set.forEach(all.addArray()::add));
          ArrayNode named = directive.putArray("Metrics");
          metrics.forEach(
              metric -> {
                named.addObject().put("Name", metric.name).put("Unit", metric.unit.word);
                root.put(metric.name, metric.value);
              });
        });
    return root.toString();
  }
}
