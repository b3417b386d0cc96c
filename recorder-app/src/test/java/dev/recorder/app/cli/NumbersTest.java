package dev.recorder.app.cli;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.TestIni;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Numbers and durations that no command can mean: exit code 2, and what they were given for. */
class NumbersTest {
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, Integer.class, Long.class, Duration.class);

  /** Each numeric option or parameter, in a command line that is right but for {@code ?}. */
  private static final List<String> LINES =
      List.of(
          "verify --from ?",
          "cat orders --from ?",
          "replay orders --into target.ini --from ?",
          "expire orders --yes --below ?",
          "switchover orders --to b --wait ?",
          "drain a --wait ?",
          "undrain a --wait ?",
          "pause orders --reason r --for ?",
          "primary orders true --wait ?",
          "reload --wait ?",
          "takeovers --limit ?",
          "requests list inbox --limit ?",
          "requests show inbox ?",
          "requests retry inbox ?",
          "requests cancel inbox 1 ?",
          "tasks add t --retries ?",
          "tasks capture --limit ?",
          "tasks capture --timeout ?",
          "tasks list --limit ?",
          "tasks set t done --owner o --token ?",
          "tasks set t done --force --retries ?",
          "lock list --limit ?",
          "lock show --lockid ?",
          "lock release --lockid ?",
          "lock release --kind mutex --name n --retries ?",
          "lock run --lockid ? -- true",
          "lock run --kind mutex --name n --retries ? -- true",
          "lock run --kind timeout --name n --every ? -- true",
          "lock run --name n --wait ? -- true",
          "lock run --name n --grace ? -- true");

  private static final Set<String> MAY_BE_ZERO = Set.of("--retries", "--grace", "lock run --wait");

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void write() {
    file =
        TestIni.minimal(folder)
            .set("postgredb", "endpoint = 127.0.0.1")
            .with("postgredb", "port = 1")
            .with("recorder:inbox", "lockid = 2", "kind = requests")
            .write();
  }

  static Stream<Arguments> badValues() {
    List<Arguments> all = new ArrayList<>();
    for (String line : LINES) {
      for (String value :
          List.of("-5", "x", "1.5", "", "99999999999999999999", "-5s", "99999999999d")) {
        all.add(Arguments.of(line, value));
      }
      if (MAY_BE_ZERO.stream().noneMatch(line.replaceAll("--name n ", "")::contains)) {
        all.add(Arguments.of(line, isDuration(line) ? "0s" : "0"));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void anAbsurdNumberIsWrongUsageThatIsNamed(String line, String value) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    int place = words.indexOf("?");
    String before = words.get(place - 1);
    String said = before.startsWith("--") ? before : "'" + value + "'";
    words.set(place, value);
    words.addAll(
        line.startsWith("lock run") ? words.indexOf("--") : words.size(),
        List.of("-c", file.toString()));

    Run run = Run.command(words.toArray(String[]::new)).exits(2);

    if (before.startsWith("--") || !value.startsWith("-")) { // Else it looks like an option.
      assertThat(run.err().lines().findFirst().orElse("")).contains(said);
    }
  }

  /** Of a mistyped number nobody would know that it guards nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"lock run --lockid 1000 -- true", "lock show --lockid 1000"})
  void aLockidThatNoRecorderCanHaveIsWrongUsage(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(2, List.of("-c", file.toString()));

    Run run = Run.command(words.toArray(String[]::new)).exits(2);

    assertThat(run.err()).contains("--lockid takes 1 to 998", "1000 is no recorder's lock");
  }

  /** So that a new option cannot be forgotten here. */
  @Test
  void thereAreNoOtherNumbers() {
    Set<String> tried = LINES.stream().map(NumbersTest::what).collect(toSet());
    Set<String> untried = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    collect("", RecorderCommand.withAllCommands(OutputStream.nullOutputStream()), seen);
    seen.stream().filter(option -> !tried.contains(option)).forEach(untried::add);

    assertThat(seen).hasSizeGreaterThan(20);
    assertThat(untried).isEmpty();
  }

  private static void collect(String path, CommandLine command, Set<String> into) {
    for (ArgSpec arg : command.getCommandSpec().args()) {
      if (arg.auxiliaryTypes().length > 0
          && Stream.of(arg.auxiliaryTypes()).anyMatch(NUMBERS::contains)) {
        into.add(path + (arg instanceof OptionSpec option ? option.longestName() : "(ID)"));
      }
    }
    command.getSubcommands().forEach((name, sub) -> collect(path + name + " ", sub, into));
  }

  /** Of {@code lock run --name n --wait ?}: {@code lock run --wait}. */
  private static String what(String line) {
    List<String> words = List.of(line.split(" "));
    String option = words.get(words.indexOf("?") - 1);
    int names = List.of("requests", "tasks", "lock").contains(words.get(0)) ? 2 : 1;
    return String.join(" ", words.subList(0, names))
        + " "
        + (option.startsWith("--") ? option : "(ID)");
  }

  private static boolean isDuration(String line) {
    return line.contains("--every") || line.contains("--timeout") || line.contains("--for");
  }
}
