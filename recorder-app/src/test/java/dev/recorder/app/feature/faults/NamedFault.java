package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.app.harness.Stalls;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A row of the table in {@code docs/faults.md} that says how a fault is named and within which
 * time, and whether it is named so. For one thread.
 */
final class NamedFault {
  static final String DOCUMENT = "docs/faults.md";
  static final String MARK = "<!-- named -->";
  static final int ALERTS = 6;
  static final int MEASURED = 7;

  /** How much later than it is known a fault is to be named everywhere. */
  static final Duration NAMED_WITHIN = Duration.ofSeconds(5);

  /** Only a hang takes longer. */
  static final Duration LOOKED_WITHIN = Duration.ofMinutes(3);

  /** A host rests so many times as long as a look takes, and for so long at least. */
  private static final int SHARE = 100;

  private static final Duration REST = Duration.ofSeconds(2);
  private static final String LOOK = "recorder_sample_duration_seconds";

  private static final Pattern BOUND = Pattern.compile("(\\d+) s\\b.*");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private final String name;
  private final List<String> row;
  private final Channel.Asked asked;
  private final Story story;
  private final Stalls stalls;
  private final Map<Channel, String> late = new EnumMap<>(Channel.class);
  private final Map<Channel, Long> last = new EnumMap<>(Channel.class);
  private Map<String, String> before = Map.of();
  private long since = System.nanoTime();
  private long stalledBefore;
  private double slowestLook;

  /** The fault of this name, which is about to be caused. */
  NamedFault(String name, Story story, Stalls stalls, Channel.Asked asked) {
    this.name = name;
    this.asked = asked;
    this.story = story;
    this.stalls = stalls;
    this.row =
        rows().stream()
            .filter(each -> each.get(0).equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError(DOCUMENT + " has no fault " + name));
  }

  static List<List<String>> rows() {
    return Documents.tableBehind(MARK, Documents.text(DOCUMENT));
  }

  /** What a cell has between backquotes; {@code …} stands for anything. */
  static List<String> quoted(String cell) {
    return QUOTED.matcher(cell).results().map(quote -> quote.group(1)).toList();
  }

  /** After how long, by a row of the table, the host that is concerned knows. */
  static Duration bound(List<String> row) {
    Matcher bound = BOUND.matcher(row.get(1));
    assertThat(bound.matches()).as("begins with seconds: " + row.get(1)).isTrue();
    return Duration.ofSeconds(Long.parseLong(bound.group(1)));
  }

  /** It is caused now, by what follows; hosts export what these pages say. */
  void begins(Map<String, String> pages) {
    slowestLook = asked.before().getOrDefault(LOOK, 0d);
    before = pages;
    stalledBefore = stalls.nanos();
    since = System.nanoTime();
  }

  /** When metrics showed it, and when they should have; once it was named. */
  RecordedSeries.Onset onset() {
    return new RecordedSeries.Onset(
        before,
        Duration.ofMillis(last.getOrDefault(Channel.METRICS, 0L)),
        limit(Channel.METRICS).minus(NAMED_WITHIN));
  }

  List<String> alerts() {
    return quoted(row.get(ALERTS));
  }

  /**
   * Waits until everything that the document promises has been said, wherever it promises it, and
   * fails if that was too late somewhere.
   */
  void awaitNamed() {
    Map<Channel, List<Pattern>> open = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      List<Pattern> patterns =
          quoted(row.get(channel.column)).stream().map(NamedFault::any).toList();
      assertThat(patterns).as(name + ": " + channel).isNotEmpty();
      open.put(channel, new ArrayList<>(patterns));
    }
    Map<Channel, List<String>> lines = new EnumMap<>(Channel.class);
    try {
      Patience.await().atMost(LOOKED_WITHIN).until(() -> isAllSaid(open, lines));
    } catch (ConditionTimeoutException tooLong) {
      throw new AssertionError(name + ": not said: " + open + " in " + lines, tooLong);
    }
    story.figure(
        name + ": said by " + last.keySet() + " after, s:",
        last.values().stream().map(millis -> "%.1f".formatted(millis / 1e3)).toList());
    story.figure(
        name + ": sleepers came late by, ms:", (stalls.nanos() - stalledBefore) / 1_000_000);
    assertThat(late).as(name + ": said too late").isEmpty();
  }

  private boolean isAllSaid(Map<Channel, List<Pattern>> open, Map<Channel, List<String>> found)
      throws IOException {
    slowestLook = Math.max(slowestLook, Channel.figures(asked.exporters()).getOrDefault(LOOK, 0d));
    for (Map.Entry<Channel, List<Pattern>> each : List.copyOf(open.entrySet())) {
      long begun = System.nanoTime();
      List<String> lines = each.getKey().lines(asked);
      found.put(each.getKey(), lines);
      each.getValue().removeIf(pattern -> isSaid(each.getKey(), pattern, lines));
      if (each.getValue().isEmpty()) {
        open.remove(each.getKey());
      } else {
        notSaid(each.getKey(), Duration.ofNanos(begun - since), each.getValue());
      }
    }
    return open.isEmpty();
  }

  private boolean isSaid(Channel channel, Pattern pattern, List<String> lines) {
    Optional<String> said =
        lines.stream().filter(line -> pattern.matcher(line).matches()).findFirst();
    said.ifPresent(line -> note(channel, line));
    return said.isPresent();
  }

  private void note(Channel channel, String line) {
    long millis = Story.millis(since, System.nanoTime());
    last.put(channel, millis);
    story.figure("%s: %s, ms after: %d:".formatted(name, channel, millis), line);
  }

  /** Whoever asked so long after its beginning was not told; how long that took does not count. */
  private void notSaid(Channel channel, Duration after, List<Pattern> patterns) {
    Duration limit = limit(channel);
    if (after.compareTo(limit) > 0) {
      late.putIfAbsent(
          channel,
          "not yet after %d ms, limit %d: %s"
              .formatted(after.toMillis(), limit.toMillis(), patterns));
    }
  }

  /**
   * When it is to be said at the latest: later by as much as sleepers came late on this machine,
   * and, where it comes from a look, by as much as hosts rest longer since looks take long here.
   */
  private Duration limit(Channel channel) {
    Duration limit = bound(row).plus(NAMED_WITHIN).plusNanos(stalls.nanos() - stalledBefore);
    double more = channel.looks * SHARE * slowestLook - REST.toSeconds();
    return limit.plusMillis((long) (1e3 * Math.max(0, more)));
  }

  private static Pattern any(String words) {
    return Pattern.compile(
        Arrays.stream(words.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }
}
