package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.docs.Documents;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** What docs/locks.md shows can be typed. */
class LocksDocumentTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(crontab|sh)\n(.*?)^```$");
  private static final Pattern IN_TEXT = Pattern.compile("`(recorder lock [^`]*)`");
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|[^\\s;|&]+|[;|&]+");
  private static final String TIME = "(\\*|\\*/\\d+|\\d+)";
  private static final Pattern CRON_LINE =
      Pattern.compile("(?:" + TIME + " ){5}([^%]+)"); // To cron % is the end of the line.

  @Test
  void everyLineOfTheCrontabIsOneAndItsCommandIsUnderstood() {
    List<String> lines =
        blocks("crontab").filter(line -> !line.matches("#.*|[A-Z]+=.*|\\s*")).toList();

    assertThat(lines).hasSizeGreaterThan(3);
    for (String line : lines) {
      Matcher form = CRON_LINE.matcher(line);
      assertThat(form.matches()).as(line).isTrue();
      assertThat(subcommand(form.group(2))).as(line).isEqualTo("run");
    }
  }

  @Test
  void everyCommandOfScriptsAndOfTheTextIsUnderstood() {
    List<String> commands =
        Stream.concat(
                blocks("sh").filter(line -> line.contains("recorder lock ")),
                IN_TEXT.matcher(section()).results().map(found -> found.group(1)))
            .map(line -> line.substring(line.indexOf("recorder lock ")))
            .filter(command -> command.split(" ").length > 3)
            .map(command -> command.replaceFirst("(\\\\\\|.*|\" ;;.*)", ""))
            .toList();

    assertThat(commands).hasSizeGreaterThan(5);
    assertThat(commands.stream().map(LocksDocumentTest::subcommand).distinct())
        .contains("run", "show", "release");
  }

  @Test
  void theTableHasTheExitCodesOfLockRun() {
    String codes =
        Documents.tableBehind("**The exit code**", section()).stream()
            .map(row -> row.get(0))
            .toList()
            .toString();

    assertThat(codes)
        .contains(
            "" + ExitCode.RELEASE_UNKNOWN,
            "" + ExitCode.TRY_LATER,
            "" + ExitCode.LOST,
            "" + ExitCode.NOT_EXECUTABLE,
            "" + ExitCode.NOT_FOUND);
  }

  /** What the command line takes it for; fails if it does not take it. */
  private static String subcommand(String line) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : WORD.matcher(line).results().toList()) {
      if (word.group().matches("[;|&]+|#")) {
        break;
      }
      words.add(word.group().replaceAll("^['\"]|['\"]$", ""));
    }
    assertThat(words.get(0)).isEqualTo("recorder");
    CommandLine recorder = RecorderCommand.withAllCommands(OutputStream.nullOutputStream());
    ParseResult parsed = recorder.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    assertThat(parsed.subcommand().commandSpec().name()).isEqualTo("lock");
    return parsed.subcommand().subcommand().commandSpec().name();
  }

  private static Stream<String> blocks(String language) {
    return BLOCK
        .matcher(section())
        .results()
        .filter(block -> block.group(1).equals(language))
        .flatMap(block -> block.group(2).lines());
  }

  private static String section() {
    String text = Documents.text("docs/locks.md");
    return text.substring(text.indexOf("## In scripts and cron"));
  }
}
