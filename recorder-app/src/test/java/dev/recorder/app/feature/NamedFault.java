package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A row of the table in {@code docs/faults.md} that says how a fault is named, and whether it is
 * named so. For one thread.
 */
final class NamedFault {
  static final String DOCUMENT = "docs/faults.md";
  static final String MARK = "<!-- named -->";
  static final int ALERTS = 6;

  /** A host rests fifty times as long as a look takes, which on a busy machine may be a second. */
  static final Duration LOOKED_WITHIN = Duration.ofMinutes(3);

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private final String name;
  private final List<String> row;
  private final Channel.Asked asked;
  private final Story story;
  private long since = System.nanoTime();

  /** The fault of this name, which is about to be caused. */
  NamedFault(String name, Story story, Channel.Asked asked) {
    this.name = name;
    this.asked = asked;
    this.story = story;
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

  /** It is caused now. */
  void begins() {
    since = System.nanoTime();
  }

  List<String> alerts() {
    return quoted(row.get(ALERTS));
  }

  /** Waits until everything that the document promises has been said, wherever it promises it. */
  void awaitNamed() {
    Map<Channel, List<Pattern>> open = new EnumMap<>(Channel.class);
    for (Channel channel : Channel.values()) {
      List<Pattern> patterns =
          quoted(row.get(channel.column)).stream().map(NamedFault::any).toList();
      assertThat(patterns).as(name + ": " + channel).isNotEmpty();
      open.put(channel, new ArrayList<>(patterns));
    }
    Map<Channel, List<String>> last = new EnumMap<>(Channel.class);
    try {
      Patience.await().atMost(LOOKED_WITHIN).until(() -> isAllSaid(open, last));
    } catch (ConditionTimeoutException tooLong) {
      throw new AssertionError(name + ": not said: " + open + " in " + last, tooLong);
    }
  }

  private boolean isAllSaid(Map<Channel, List<Pattern>> open, Map<Channel, List<String>> last)
      throws IOException {
    for (Map.Entry<Channel, List<Pattern>> each : List.copyOf(open.entrySet())) {
      List<String> lines = each.getKey().lines(asked);
      last.put(each.getKey(), lines);
      each.getValue().removeIf(pattern -> isSaid(each.getKey(), pattern, lines));
      if (each.getValue().isEmpty()) {
        open.remove(each.getKey());
      }
    }
    return open.isEmpty();
  }

  private boolean isSaid(Channel channel, Pattern pattern, List<String> lines) {
    Optional<String> said =
        lines.stream().filter(line -> pattern.matcher(line).matches()).findFirst();
    said.ifPresent(
        line ->
            story.figure(
                "%s: %s, ms after: %d:"
                    .formatted(name, channel, Story.millis(since, System.nanoTime())),
                line));
    return said.isPresent();
  }

  private static Pattern any(String words) {
    return Pattern.compile(
        Arrays.stream(words.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }
}
