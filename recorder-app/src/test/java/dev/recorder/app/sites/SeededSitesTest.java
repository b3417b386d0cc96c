package dev.recorder.app.sites;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.app.cli.host.RenderedOrders;
import dev.recorder.app.cli.status.RenderedStatus;
import dev.recorder.app.metrics.RenderedMetrics;
import dev.recorder.app.page.RenderedPage;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Explanation;
import dev.recorder.operate.diagnosis.SeededSites;
import dev.recorder.operate.diagnosis.Seen;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All that people and programs are told of some forty sites, held against files in {@code sites}.
 * Of each but the first a file has what differs from the first. {@code -Drecorder.sites=write}
 * writes them anew: look at what changes.
 */
class SeededSitesTest {
  private static final Path FILES = Path.of("src/test/resources/dev/recorder/app/sites");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CALM = "calm";

  static Set<String> sites() {
    return SeededSites.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("sites")
  void whatIsToldOfASiteIsWhatItsFileSays(String site) throws IOException {
    String told = told(site);
    Path file = FILES.resolve(site + ".txt");
    if ("write".equals(System.getProperty("recorder.sites"))) {
      Files.writeString(file, told);
    }
    assertThat(told).isEqualTo(Files.readString(file));
  }

  @Test
  void thereIsNoFileOfASiteThatIsNoMore() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
          .containsExactlyInAnyOrderElementsOf(sites());
    }
  }

  private static String told(String site) {
    Map<String, String> all = of(SeededSites.all().get(site));
    StringBuilder text = new StringBuilder();
    Map<String, String> calm = site.equals(CALM) ? Map.of() : of(SeededSites.all().get(CALM));
    all.forEach(
        (what, told) -> {
          List<String> lines =
              site.equals(CALM)
                  ? told.lines().toList()
                  : differing(calm.getOrDefault(what, ""), told);
          if (!lines.isEmpty()) {
            text.append("==== ").append(what).append('\n');
            lines.forEach(line -> text.append(line.stripTrailing()).append('\n'));
          }
        });
    return text.toString();
  }

  /** Lines that are in one alone, in their order. */
  private static List<String> differing(String before, String after) {
    List<String> lines = new ArrayList<>();
    List<String> gone = new ArrayList<>(before.lines().toList());
    List<String> come = new ArrayList<>();
    for (String line : after.lines().toList()) {
      if (!gone.remove(line)) {
        come.add(line);
      }
    }
    gone.forEach(line -> lines.add("- " + line));
    come.forEach(line -> lines.add("+ " + line));
    return lines;
  }

  private static Map<String, String> of(Seen site) {
    Facts facts = site.facts();
    Diagnosis diagnosis = Diagnosis.of(facts, Seen.LIMITS);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("status", RenderedStatus.text(diagnosis));
    all.put("status --check", RenderedStatus.check(diagnosis));
    all.put("status -o json", indented(RenderedStatus.json(diagnosis)));
    for (String host : List.of("a", "b", "c")) {
      all.put(
          "explain orders --host " + host, explained(diagnosis, facts.recorders().get(0), host));
    }
    for (RecorderFacts other : facts.unregistered()) {
      all.put("explain " + other.name() + " --host a", explained(diagnosis, other, "a"));
    }
    all.put("orders given now", RenderedOrders.text(diagnosis, facts.recorders().get(0)));
    all.put("page", indented(RenderedPage.json(diagnosis)));
    all.put("metrics", RenderedMetrics.exposition(diagnosis));
    all.put("CloudWatch", figures(RenderedMetrics.emf(diagnosis)));
    return all;
  }

  private static String indented(String json) {
    return json(json).toPrettyString();
  }

  /** Without the list of which figure goes under which dimensions. */
  private static String figures(List<String> lines) {
    return lines.stream()
        .map(SeededSitesTest::json)
        .map(line -> ((ObjectNode) line).without("_aws").toPrettyString())
        .collect(Collectors.joining("\n"));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException noJson) {
      throw new AssertionError(text, noJson);
    }
  }

  private static String explained(Diagnosis site, RecorderFacts recorder, String host) {
    Explanation told = Explanation.of(site, recorder, host, Optional.empty());
    return Stream.of(
            Stream.of(told.verdict()),
            told.evidence().stream().map(line -> "  " + line),
            told.change().stream().map(line -> "-> " + line))
        .flatMap(each -> each)
        .collect(Collectors.joining("\n"));
  }
}
