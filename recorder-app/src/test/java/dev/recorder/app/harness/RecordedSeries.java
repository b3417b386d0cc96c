package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.Promtool;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pages of {@code /metrics} of real hosts, recorded stage by stage, as series for Prometheus' own
 * tool: each stage is held for ten minutes of scrapes, or more, or is one scrape, and at its end
 * the tool says which of our alerts fire. The series stay in {@code target/series}. Not
 * thread-safe.
 */
public final class RecordedSeries {
  private static final Path RULES = Path.of("../ops/prometheus-rules.yml");
  private static final Path FOLDER = Path.of("target/series");
  private static final int SCRAPES = 40;

  /** For longer than any alert waits that is to fire in time. */
  private static final int MORE_SCRAPES = 44;

  /** From one scrape to the next. */
  public static final int SCRAPE_SECONDS = 15;

  private static final Pattern WAITS =
      Pattern.compile("- alert: (\\w+)\n +expr: .*\n(?: +for: (\\d+)([ms])\n)?");
  private static final Pattern METRIC = Pattern.compile("\\brecorder_[a-z_]+");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? ([-+.0-9E]+)");

  private final String name;
  private final int scrapes;
  private final TreeSet<String> hosts = new TreeSet<>();
  private final List<Map<String, String>> stages = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  /** Nothing recorded yet, of a story of this name. */
  public RecordedSeries(String name) {
    this(name, SCRAPES);
  }

  private RecordedSeries(String name, int scrapes) {
    this.name = name;
    this.scrapes = scrapes;
  }

  /** The same, each stage of which is held for eleven minutes. */
  public static RecordedSeries ofLongStages(String name) {
    return new RecordedSeries(name, MORE_SCRAPES);
  }

  /** The same, each stage of which is one scrape. */
  public static RecordedSeries ofScrapes(String name) {
    return new RecordedSeries(name, 1);
  }

  /** One more stage, of which nothing is said. */
  public RecordedSeries then(Map<String, String> pages) {
    stage(pages);
    return this;
  }

  /** No alert has fired at any scrape so far. */
  public RecordedSeries allCalm() {
    int seconds = stages.size() * scrapes * SCRAPE_SECONDS;
    String fired = "count_over_time(ALERTS{alertstate=\"firing\"}[%ds])".formatted(seconds);
    expect(fired, "", seconds - SCRAPE_SECONDS);
    return this;
  }

  /** All is well: no alert fires. A page stands for each host; one that is missing is dead. */
  public RecordedSeries calm(Map<String, String> pages) {
    stage(pages);
    expect("ALERTS{alertstate=\"firing\"}", "");
    return this;
  }

  /** Each of these fires, others may. */
  public RecordedSeries fires(Map<String, String> pages, String... alerts) {
    stage(pages);
    Stream.of(alerts).forEach(alert -> expect(firing(alert), alert));
    return this;
  }

  /** None of these fires any more. */
  public RecordedSeries isOver(Map<String, String> pages, String... alerts) {
    stage(pages);
    Stream.of(alerts).forEach(alert -> expect(firing(alert), ""));
    return this;
  }

  /**
   * Each of these fires two scrapes after what its rule waits for, and did not fire before this
   * stage.
   */
  public RecordedSeries firesInTime(Map<String, String> pages, List<String> alerts)
      throws IOException {
    int begins = stages.size() * scrapes * SCRAPE_SECONDS;
    stage(pages);
    for (String alert : alerts) {
      expect(firing(alert), "", begins - SCRAPE_SECONDS);
      expect(firing(alert), alert, begins + waits(alert) + 2 * SCRAPE_SECONDS);
    }
    return this;
  }

  /** For how many seconds its condition is to last before it fires. */
  private static int waits(String alert) throws IOException {
    return WAITS
        .matcher(Files.readString(RULES))
        .results()
        .filter(rule -> rule.group(1).equals(alert))
        .findFirst()
        .map(
            rule ->
                rule.group(2) == null
                    ? 0
                    : Integer.parseInt(rule.group(2)) * (rule.group(3).equals("m") ? 60 : 1))
        .orElseThrow(() -> new AssertionError("there is no alert " + alert));
  }

  private static String firing(String alert) {
    return "ALERTS{alertstate=\"firing\",alertname=\"" + alert + "\"}";
  }

  private void stage(Map<String, String> pages) {
    hosts.addAll(pages.keySet());
    stages.add(Map.copyOf(pages));
  }

  private void expect(String series, String alert) {
    expect(series, alert, stages.size() * scrapes * SCRAPE_SECONDS - 2 * SCRAPE_SECONDS);
  }

  private void expect(String series, String alert, int seconds) {
    expected.add(
        """
              - expr: 'group by (alertname) (%s)'
                eval_time: %ds
                exp_samples: %s
        """
            .formatted(
                series,
                seconds,
                alert.isEmpty()
                    ? "[]"
                    : "[{labels: '{alertname=\"%s\"}', value: 1}]".formatted(alert)));
  }

  /**
   * Has the tool look at all of it. Where it is not installed the test is skipped, so that nobody
   * takes its alerts for tested: to be called last, when all else has been asserted.
   */
  public void check() throws Exception {
    check(Promtool.missing());
  }

  void check(Optional<String> missing) throws Exception {
    Files.createDirectories(FOLDER);
    Path file = FOLDER.resolve(name + ".yml");
    Files.writeString(file, text());
    assumeTrue(
        missing.isEmpty(),
        () -> "all but the alerts of " + file + " was tested: " + missing.orElse(""));
    Promtool.Outcome outcome = Promtool.run("test", "rules", file.toString());
    assertThat(outcome.isGood()).as(outcome.text()).isTrue();
  }

  private String text() throws Exception {
    String rules = Files.readString(RULES);
    TreeSet<String> metrics =
        METRIC
            .matcher(rules)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    String series =
        series(metrics).entrySet().stream()
            .map(
                each ->
                    "      - {series: '%s', values: '%s'}\n"
                        .formatted(each.getKey(), String.join(" ", each.getValue())))
            .collect(Collectors.joining());
    return """
        rule_files: [%s]
        evaluation_interval: %ds
        tests:
          - interval: %ds
            input_series:
        %s    promql_expr_test:
        %s"""
        .formatted(
            RULES.toAbsolutePath().normalize(),
            SCRAPE_SECONDS,
            SCRAPE_SECONDS,
            series,
            String.join("", expected));
  }

  /** Of each series, what it is in each stage. */
  private Map<String, List<String>> series(Set<String> metrics) {
    Map<String, List<String>> all = new TreeMap<>();
    for (int stage = 0; stage < stages.size(); stage++) {
      Map<String, String> now = new HashMap<>();
      for (String host : hosts) {
        String page = stages.get(stage).get(host);
        now.put("up{job=\"recorder\",instance=\"" + host + "\"}", page == null ? "0" : "1");
        if (page != null) {
          now.putAll(values(host, page, metrics));
        }
      }
      int before = stage;
      now.keySet().forEach(key -> all.computeIfAbsent(key, any -> absent(before)));
      all.forEach((key, values) -> values.add(held(now.get(key))));
    }
    return all;
  }

  private static Map<String, String> values(String host, String page, Set<String> metrics) {
    Map<String, String> values = new HashMap<>();
    for (String line : page.lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches() && metrics.contains(sample.group(1))) {
        String labels = sample.group(2) == null ? "" : "," + sample.group(2);
        values.put(
            "%s{job=\"recorder\",instance=\"%s\"%s}".formatted(sample.group(1), host, labels),
            new BigDecimal(sample.group(3)).toPlainString());
      }
    }
    return values;
  }

  private List<String> absent(int stages) {
    return Stream.generate(() -> held(null))
        .limit(stages)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** A value for all scrapes of a stage; none ends the series, as Prometheus does. */
  private String held(@Nullable String value) {
    if (scrapes == 1) {
      return value == null ? "stale" : value;
    }
    return value == null ? "stale _x" + (scrapes - 1) : value + "x" + (scrapes - 1);
  }
}
