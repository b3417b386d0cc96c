package dev.recorder.app.harness;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a recorder's log that asks for an operator's attention.
 *
 * @param level WARN or ERROR
 */
public record Alarm(String level, String text) {
  private static final Pattern LINE =
      Pattern.compile("\\S+ (WARN|ERROR) +\\[[^]]*] \\[[^]]*] \\S+: (.*)");

  static Optional<Alarm> of(String line) {
    Matcher alarm = LINE.matcher(line);
    return alarm.matches()
        ? Optional.of(new Alarm(alarm.group(1), alarm.group(2)))
        : Optional.empty();
  }

  static List<Alarm> in(List<String> log) {
    return log.stream().map(Alarm::of).flatMap(Optional::stream).toList();
  }

  @Override
  public String toString() {
    return level + ": " + text;
  }
}
