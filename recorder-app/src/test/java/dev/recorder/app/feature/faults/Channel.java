package dev.recorder.app.feature.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.HttpSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where an operator may look, and what is said there, line by line. */
enum Channel {
  /** {@code recorder status}: its notes. */
  STATUS(2, 0) {
    @Override
    List<String> lines(Asked asked) throws IOException {
      JsonNode status = JSON.readTree(asked.cluster.run("status", "-o", "json").output());
      List<String> lines = new ArrayList<>();
      for (JsonNode note : status.get("notes")) {
        lines.add(note.get("kind").textValue() + ": " + note.get("sentence").textValue());
      }
      return lines;
    }
  },
  /** {@code recorder explain}, without where the runbook has more. */
  EXPLAIN(3, 0) {
    @Override
    List<String> lines(Asked asked) {
      String host = asked.host.host().name();
      return asked
          .cluster
          .run("explain", Cluster.RECORDER, "--host", host)
          .output()
          .lines()
          .map(line -> line.strip().replaceFirst(" \\[runbook\\.md#[^]]*]$", ""))
          .toList();
    }
  },
  /** What another host's page shows. */
  PAGE(4, 2) {
    @Override
    List<String> lines(Asked asked) throws IOException {
      JsonNode page = JSON.readTree(asked.page.get("/page.json").body());
      List<String> lines = new ArrayList<>();
      for (JsonNode note : page.get("notes")) {
        lines.add(note.get("sentence").textValue());
      }
      for (JsonNode host : page.get("hosts")) {
        lines.add("%s: %s".formatted(host.get("name").asText(), host.get("state").asText()));
      }
      for (JsonNode receipt : page.get("takeovers")) {
        lines.add(
            "%s -> %s: %s"
                .formatted(
                    receipt.get("from").asText(),
                    receipt.get("to").asText(),
                    receipt.get("reason").asText()));
      }
      return lines;
    }
  },
  /** Series of {@code /metrics} that are higher than before, on any host. */
  METRICS(5, 1) {
    @Override
    List<String> lines(Asked asked) throws IOException {
      return figures(asked.exporters).entrySet().stream()
          .filter(each -> each.getValue() > asked.before.getOrDefault(each.getKey(), 0d))
          .map(Map.Entry::getKey)
          .toList();
    }
  };

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Its column in the document's table. */
  final int column;

  /**
   * How long a look is that it says the outcome of, as part of one for metrics; zero if it does not
   * say what was found earlier. The page's look is at some more.
   */
  final int looks;

  Channel(int column, int looks) {
    this.column = column;
    this.looks = looks;
  }

  /**
   * Who is asked.
   *
   * @param host the one that explain is asked about
   * @param page the one whose page is looked at
   * @param exporters those whose metrics are scraped
   * @param before their figures before the fault
   */
  record Asked(
      Cluster cluster,
      HttpSite host,
      HttpSite page,
      List<HttpSite> exporters,
      Map<String, Double> before) {}

  /** What it says now. */
  abstract List<String> lines(Asked asked) throws IOException;

  /** Of each series the highest that one of them has. */
  static Map<String, Double> figures(List<HttpSite> exporters) throws IOException {
    Map<String, Double> figures = new TreeMap<>();
    for (HttpSite exporter : exporters) {
      exporter
          .get("/metrics")
          .body()
          .lines()
          .filter(line -> line.startsWith("recorder_"))
          .forEach(
              line -> {
                int end = line.lastIndexOf(' ');
                double value = Double.parseDouble(line.substring(end + 1));
                figures.merge(line.substring(0, end), value, Math::max);
              });
    }
    return figures;
  }
}
