package dev.recorder.testing;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** That no test gives up on what is to come before a busy machine has had time for it. */
class PatienceTest {
  private static final long LEAST_MILLIS = 30_000;

  private static final List<Path> TESTS =
      List.of(Path.of("src", "test", "java"), Path.of("..", "recorder-app", "src", "test", "java"));

  /** The library's own limit is 10 s. */
  private static final Pattern IMPATIENT =
      Pattern.compile("import static org\\.awaitility\\.Awaitility\\.await;");

  private static final Pattern LIMIT =
      Pattern.compile(
          "\\.(?:atMost|succeedsWithin|failsWithin)\\(Duration\\.of(Seconds|Millis)\\(([0-9_]+)\\)"
              + "|\\.(?:get|await)\\(([0-9_]+), (?:TimeUnit\\.)?(SECONDS|MILLISECONDS)\\)");

  /** A named time, or a setting of hosts under test: in the parts that drive real processes. */
  private static final Pattern NAMED =
      Pattern.compile(
          "Duration ([A-Z_]+) = Duration\\.of(Seconds|Millis)\\(([0-9_]+)\\)"
              + "|(?:int|long) ([A-Z_]*MILLIS) = ([0-9_]+);"
              + "|\\b([a-z0-9_]*timeout) = ([0-9]+)(m?s)\\b"
              + "|waitFor\\(([0-9_]+), (?:TimeUnit\\.)?(SECONDS|MILLISECONDS)\\)");

  private static final Set<String> DRIVING =
      Set.of("harness", "feature", "soak", "demo", "cli", "handlers", "guard");

  /** How long somebody rests between two looks, or two deeds: nothing ends by that. */
  private static final Pattern REST = Pattern.compile("(POLL|PAUSE|RECONNECT)$");

  /** Short, and nothing that a slow machine could miss: why. */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("Observer.PRECISE", "between two looks"),
          entry("Observer.COARSE", "between two looks"),
          entry("Producer.SLOW_MILLIS", "how long a row's id is drawn before it comes, at most"),
          entry("FrontEnd.LONGEST_MILLIS", "how long a transaction takes, at most"),
          entry("Particulars.network_timeout", "hosts lose their session; stories expect that"),
          entry("S3Faults.s3_attempt_timeout", "hosts give an attempt up, and make another"),
          entry("SoakRun.s3_attempt_timeout", "the same; who judges has the usual 30 s"),
          entry("StormRun.s3_attempt_timeout", "the same; who judges has the usual 30 s"),
          entry("StormRun.handler_timeout", "an attempt of a handler, which is made again"),
          entry("BothHostsFaults.AWAY", "how long nobody is there, at least"),
          entry("S3Faults.FAULT_LASTS", "a fault's length"),
          entry("KeyElectionIT.EXPIRY", "a key's life, which the story sees the end of"),
          entry("FrozenRunIT.LEASE", "a lease, whose end the story waits for"),
          entry("NamedFault.NAMED_WITHIN", "lengthened by what the machine kept from the product"),
          entry("NamedFault.REST", "the product's own, of which that is reckoned"),
          entry("RecordedSeriesTest.SOON", "reckoned with, not waited for"),
          entry("Ghost.SILENT_AFTER", "the least silence; longer is as good"),
          entry("Flips.NOBODY_MOVES", "nothing is to happen meanwhile"),
          entry("HandlerFaults.STILL", "nothing is to happen meanwhile"),
          entry("HandlerFaults.BACK_WITHIN", "who was slower is not judged"),
          entry("DocumentFaults.IDLE", "statements are counted meanwhile, again until few came"),
          entry("Injector.HOLD_BACK_AFTER", "then no further fault is done"),
          entry("SoakRun.SPOILT_FOR", "the run's length"),
          entry("RequestStormIT.LENGTH", "the run's length"),
          entry("ScheduledVerificationIT.BETWEEN_ORDERS", "a pause between repeated orders"),
          entry("StormRun.LATE", "the least wait; longer is as good"),
          entry("Zombies.LEASE_MILLIS", "the product's own, which is judged"),
          entry("Zombies.UNDER_WAY_MILLIS", "a PUT by a term that is over is what is looked for"),
          entry("Demo.BEFORE_THE_KILL", "a part's length"),
          entry("Demo.AFTER_THE_TAKEOVER", "a part's length"),
          entry("Demo.AFTER_THE_RETURN", "a part's length"),
          entry("ClearedLog.MOVE_EVERY", "a pause between steps, of which there are several"),
          entry("SiteAdministrator.BETWEEN_ATTEMPTS", "a pause between tries"));

  @Test
  void noTimeOfWhoDrivesProcessesIsShortWithoutAReason() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path tests : TESTS) {
      try (Stream<Path> files = Files.walk(tests)) {
        for (Path file : files.filter(PatienceTest::isTest).toList()) {
          if (drives(file)) {
            named(file.getFileName().toString(), Files.readString(file))
                .forEach((name, place) -> found.put(name, place));
          }
        }
      }
    }

    assertThat(found).as("longer, or a reason in REASONS").containsOnlyKeys(REASONS.keySet());
  }

  /** By the folder of the file, or one above it. */
  private static boolean drives(Path file) {
    return StreamSupport.stream(file.spliterator(), false)
        .anyMatch(folder -> DRIVING.contains(folder.toString()));
  }

  @Test
  void shortNamedTimesAreSeen() {
    String source =
        """
        private static final Duration POLL = Duration.ofMillis(100);
        private static final Duration SOON = Duration.ofMinutes(3);
        private static final Duration LONG = Duration.ofSeconds(30);
        private static final Duration SCHEDULING = Duration.ofSeconds(2);
        private static final long UNDER_WAY_MILLIS = 1_000;
        Particulars.NONE.withTiming("s3_attempt_timeout = 3s\\nfailback_after = 4s");
        process.waitFor(10, TimeUnit.SECONDS);
        """;

    assertThat(named("FooIT.java", source))
        .containsOnlyKeys(
            "FooIT.SCHEDULING",
            "FooIT.UNDER_WAY_MILLIS",
            "FooIT.s3_attempt_timeout",
            "FooIT.waitFor");
  }

  /** By class and name, with the place. */
  private static Map<String, String> named(String file, String source) {
    Map<String, String> found = new TreeMap<>();
    List<String> lines = source.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher time = NAMED.matcher(lines.get(i));
      while (time.find()) {
        String name = name(time);
        if (millisOfNamed(time) < LEAST_MILLIS && !REST.matcher(name).find()) {
          found.put(file.replace(".java", ".") + name, file + ":" + (i + 1));
        }
      }
    }
    return found;
  }

  private static String name(Matcher time) {
    return Stream.of(time.group(1), time.group(4), time.group(6))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("waitFor");
  }

  private static long millisOfNamed(Matcher time) {
    if (time.group(1) != null) {
      return number(time.group(3)) * (time.group(2).equals("Seconds") ? 1_000 : 1);
    } else if (time.group(4) != null) {
      return number(time.group(5));
    } else if (time.group(6) != null) {
      return number(time.group(7)) * (time.group(8).equals("s") ? 1_000 : 1);
    }
    return number(time.group(9)) * (time.group(10).equals("SECONDS") ? 1_000 : 1);
  }

  private static long number(String digits) {
    return Long.parseLong(digits.replace("_", ""));
  }

  @Test
  void noTestWaitsForLessThanHalfAMinuteForWhatIsToCome() throws IOException {
    List<String> impatient = new ArrayList<>();
    for (Path tests : TESTS) {
      try (Stream<Path> files = Files.walk(tests)) {
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
