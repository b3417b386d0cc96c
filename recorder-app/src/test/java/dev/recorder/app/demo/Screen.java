package dev.recorder.app.demo;

import dev.recorder.app.harness.Host;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells people what happens as it happens, one line per event, on standard output. Thread-safe. */
final class Screen {
  /** A line of the product's log: level, where from, message. */
  private static final Pattern LOG_LINE =
      Pattern.compile("\\S+ (INFO|WARN|ERROR) +\\[.*?] \\[.*?] \\w+: (.*)");

  private static final Pattern CHANGE_OF_ROLE =
      Pattern.compile("(active \\(|standby|adopted|first slot|stopping|.* has stopped).*");

  private final long start = System.nanoTime();

  void say(String format, Object... arguments) {
    print("demo", String.format(Locale.ROOT, format, arguments));
  }

  /** Shows changes of role, warnings and errors of a host. */
  void follow(Host host) {
    host.onLog(
        line -> {
          Matcher log = LOG_LINE.matcher(line);
          if (log.matches()
              && (!log.group(1).equals("INFO") || CHANGE_OF_ROLE.matcher(log.group(2)).matches())) {
            print(host.name(), log.group(2));
          }
        });
  }

  /** Shows names and what was found. */
  void table(Object[][] rows) {
    for (Object[] row : rows) {
      System.out.println(String.format(Locale.ROOT, "    %-27s %s", row[0], row[1]));
    }
  }

  private void print(String who, String what) {
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.println(String.format(Locale.ROOT, "%5.1f s  %-6s | %s", seconds, who, what));
  }
}
