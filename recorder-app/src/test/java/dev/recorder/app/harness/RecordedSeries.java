package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.testing.Promtool;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
 *
 * <p>What is recorded is real; how long it lasts is not: nobody waits for an hour here.
 */
public final class RecordedSeries {
  private static final Path RULES = Path.of("../ops/prometheus-rules.yml");
  private static final Path FOLDER = Path.of("target/series");
  private static final int SCRAPES = 40;

  /** For longer than any alert waits that is to fire in time, and some minutes more. */
  private static final int MORE_SCRAPES = 60;

  /** What grows by a second each second while nothing changes. */
  private static final Set<String> AGES =
      Set.of(
          "recorder_clearing_waits_seconds",
          "recorder_oldest_waiting_seconds",
          "recorder_progress_age_seconds",
          "recorder_verify_overdue_seconds");

  /** From one scrape to the next. */
  public static final int SCRAPE_SECONDS = 15;

  private static final Pattern WAITS =
      Pattern.compile("- alert: (\\w+)\n +expr: .*\n(?: +for: (\\d+)([ms])\n)?");
  private static final Pattern METRIC = Pattern.compile("\\brecorder_[a-z_]+");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? ([-+.0-9E]+)");

  private final String name;
  private final int scrapes;
  private final TreeSet<String> hosts = new TreeSet<>();
  private final List<Stage> stages = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();

  /**
   * What was exported for a while.
   *
   * @param ages whether ages grow meanwhile
   */
  private record Stage(Map<String, String> pages, int scrapes, boolean ages) {}

  /**
   * How a fault began.
   *
   * @param before what was exported then
   * @param shown after how long it was otherwise
   * @param known after how long it should be known
   */
  public record Onset(Map<String, String> before, Duration shown, Duration known) {
    public Onset {
      before = Map.copyOf(before);
    }
  }

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
    int seconds = seconds();
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
   * Each of these fires two scrapes after what its rule waits for, counted from when the fault
   * should be known, and did not fire before. The first scrape comes just when the fault begins, so
   * that it shows nothing of it, nor do those that come before it is shown.
   */
  public RecordedSeries firesInTime(Onset onset, Map<String, String> pages, List<String> alerts)
      throws IOException {
    int begins = seconds();
    int late = scrapesWithin(onset.shown());
    stage(new Stage(onset.before(), late, false));
    stage(new Stage(pages, scrapes - late, false));
    int known = (int) Math.ceil(onset.known().toMillis() / 1e3);
    for (String alert : alerts) {
      int most = begins + known + waits(alert) + 2 * SCRAPE_SECONDS;
      expect(firing(alert), "", begins - SCRAPE_SECONDS);
      expect(firing(alert), alert, Math.min(most, seconds() - SCRAPE_SECONDS));
    }
    return this;
  }

  private static int scrapesWithin(Duration time) {
    return (int) Math.max(1, Math.ceil(time.toMillis() / 1e3 / SCRAPE_SECONDS));
  }

  /**
   * Nothing changes but that ages grow: this fires when it has gone on for so long, and did not
   * before.
   */
  public RecordedSeries firesWhenItGoesOn(Map<String, String> pages, Duration time, String alert) {
    expect(firing(alert), "", seconds() - SCRAPE_SECONDS);
    stage(new Stage(pages, scrapesWithin(time) + 1, true));
    expect(firing(alert), alert, seconds() - SCRAPE_SECONDS);
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
    stage(new Stage(Map.copyOf(pages), scrapes, false));
  }

  private void stage(Stage stage) {
    hosts.addAll(stage.pages().keySet());
    stages.add(stage);
  }

  /** How long all stages last. */
  private int seconds() {
    return stages.stream().mapToInt(Stage::scrapes).sum() * SCRAPE_SECONDS;
  }

  private void expect(String series, String alert) {
    expect(series, alert, seconds() - 2 * SCRAPE_SECONDS);
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
    List<Stage> before = new ArrayList<>();
    for (Stage stage : stages) {
      Map<String, String> now = new HashMap<>();
      for (String host : hosts) {
        String page = stage.pages().get(host);
        now.put("up{job=\"recorder\",instance=\"" + host + "\"}", page == null ? "0" : "1");
        if (page != null) {
          now.putAll(values(host, page, metrics));
        }
      }
      now.keySet().forEach(key -> all.computeIfAbsent(key, any -> absent(before)));
      all.forEach((key, values) -> values.add(held(key, now.get(key), stage)));
      before.add(stage);
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

  private static List<String> absent(List<Stage> stages) {
    return stages.stream()
        .map(stage -> held("", null, stage))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** A value for all scrapes of a stage; none ends the series, as Prometheus does. */
  private static String held(String series, @Nullable String value, Stage stage) {
    int more = stage.scrapes() - 1;
    if (more == 0) {
      return value == null ? "stale" : value;
    }
    if (value == null) {
      return "stale _x" + more;
    }
    boolean grows = stage.ages() && AGES.contains(series.split("\\{", 2)[0]);
    return value + (grows ? "+" + SCRAPE_SECONDS : "") + "x" + more;
  }
}
