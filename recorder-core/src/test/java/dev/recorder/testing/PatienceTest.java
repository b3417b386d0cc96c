package dev.recorder.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That no test gives up on what is to come before a busy machine has had time for it. */
class PatienceTest {
  private static final long LEAST_MILLIS = 30_000;

  /** The library's own limit is 10 s. */
  private static final Pattern IMPATIENT =
      Pattern.compile("import static org\\.awaitility\\.Awaitility\\.await;");

  private static final Pattern LIMIT =
      Pattern.compile(
          "\\.(?:atMost|succeedsWithin|failsWithin)\\(Duration\\.of(Seconds|Millis)\\(([0-9_]+)\\)"
              + "|\\.(?:get|await)\\(([0-9_]+), (?:TimeUnit\\.)?(SECONDS|MILLISECONDS)\\)");

  @Test
  void noTestWaitsForLessThanHalfAMinuteForWhatIsToCome() throws IOException {
    List<String> impatient = new ArrayList<>();
    for (Path tests : List.of(Path.of("src"), Path.of("..", "recorder-app", "src"))) {
      try (Stream<Path> files = Files.walk(tests.resolve(Path.of("test", "java")))) {
        for (Path file : files.filter(PatienceTest::isTest).toList()) {
          impatient.addAll(impatient(file.getFileName().toString(), Files.readString(file)));
        }
      }
    }

    assertThat(impatient).as("use Patience.await() and Patience.A_MINUTE").isEmpty();
  }

  @Test
  void shortLimitsAreSeen() {
    String source =
        """
        import static org.awaitility.Awaitility.await;
        await().atMost(Duration.ofMillis(20_000)).until(this::isDone);
        assertThat(told).succeedsWithin(Duration.ofSeconds(5));
        assertThat(told.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(told.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(latch.await(60, SECONDS)).isTrue();
        """;

    assertThat(impatient("FooIT.java", source))
        .containsExactly("FooIT.java:1", "FooIT.java:2", "FooIT.java:3", "FooIT.java:4");
  }

  /** Benchmarks are run by who has a quiet machine. */
  private static boolean isTest(Path file) {
    return file.toString().endsWith(".java")
        && !file.getFileName().toString().equals("PatienceTest.java")
        && !file.getParent().endsWith("bench");
  }

  private static List<String> impatient(String name, String source) {
    List<String> found = new ArrayList<>();
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher limit = LIMIT.matcher(lines.get(i));
      boolean isShort = IMPATIENT.matcher(lines.get(i)).find();
      while (limit.find()) {
        isShort |= millis(limit) < LEAST_MILLIS;
      }
      if (isShort) {
        found.add(name + ":" + (i + 1));
      }
    }
    return found;
  }

  private static long millis(Matcher limit) {
    boolean isDuration = limit.group(1) != null;
    String number = (isDuration ? limit.group(2) : limit.group(3)).replace("_", "");
    String unit = isDuration ? limit.group(1) : limit.group(4);
    return Long.parseLong(number) * (unit.equalsIgnoreCase("seconds") ? 1_000 : 1);
  }
}
