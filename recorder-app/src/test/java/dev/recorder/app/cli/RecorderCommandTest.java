package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.output.StandardOutput;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class RecorderCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsItsVersionAndExitsWithZero() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).startsWith("recorder ");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void exitsWithTwoOnAnUnknownCommand() {
    assertThat(execute("no-such-command")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("no-such-command");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad?", "verify --from ?", "verify --bad?", "status --bad? x"})
  void anArgumentMustNotReachTheTerminalAsItIs(String line) {
    assertThat(execute(line.replace("?", "\u001b[31m").split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains("\\u001b[31m").doesNotContain("\u001b");
  }

  /** What a JVM makes of bytes that its locale has no characters for. */
  @ParameterizedTest
  @ValueSource(strings = {"status ?", "lock run --name n?chtlich -- true", "no-such-command ?"})
  void anArgumentThatHasLostItsCharactersIsRefused(String line) {
    assertThat(executeAll(line.replace('?', '\ufffd').split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("recorder: argument ")
        .contains("LC_ALL=C.UTF-8")
        .hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aMonitorIsToldOfSuchAnArgumentByItsOwnCode() {
    assertThat(executeAll("status", "--check", "-c", "f\ufffd.ini")).isEqualTo(3);
    assertThat(err.toString()).startsWith("recorder: argument 4 ");
  }

  private int executeAll(String... args) {
    CommandLine command = commandLine(args);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    StandardOutput none = new StandardOutput(OutputStream.nullOutputStream());
    return RecorderCommand.execute(command, none, args);
  }

  @Test
  void aWordThatIsNearlyACommandIsAnsweredWithThatOne() {
    assertThat(execute("statu")).isEqualTo(2);
    assertThat(err.toString()).contains("Did you mean: ").contains("recorder status");
  }

  @Test
  void whatIsWrongStandsAloneAndNotAboveAPageOfUsage() {
    assertThat(execute("capture", "add", "a", "--recorder", "orders", "--old", "some"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("--old")
        .hasLineCount(2)
        .endsWith("see 'recorder capture add --help'\n");
  }

  @Test
  void exitsWithTwoWithoutACommand() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString()).contains("see 'recorder --help'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "status", "capture", "capture add", "lock run", "help"})
  void helpOfWordsIsWhatTheOptionPrints(String words) {
    assertThat(execute(Run.words((words + " --help").strip()))).isZero();
    String expected = out.toString();
    out.getBuffer().setLength(0);

    assertThat(execute(Run.words(("help " + words).strip()))).isZero();

    assertThat(out.toString()).startsWith("Usage: recorder").isEqualTo(expected);
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"help statu, recorder status", "help capture ad, capture add"})
  void helpOfAWordThatIsNearlyACommandNamesThatOne(String line, String meant) {
    assertThat(execute(line.split(" "))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("Did you mean: ").contains(meant);
  }

  @Test
  void helpOfAnUnknownCommandPointsToTheHelp() {
    assertThat(execute("help", "no-such-command")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("no-such-command");
  }

  @ParameterizedTest
  @EnumSource(Subcommand.class)
  void hasOnlyTheCommandThatIsCalled(Subcommand command) {
    assertThat(commandLine("--verbose", command.word(), "cat").getSubcommands())
        .containsOnlyKeys(command.word());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "no-such-command", "Run", ""})
  void hasAllCommandsInTheirOrderIfNoneIsCalled(String word) {
    assertThat(commandLine(word).getSubcommands().keySet())
        .containsExactlyElementsOf(
            Arrays.stream(Subcommand.values()).map(Subcommand::word).toList());
  }

  @Test
  void theHelpOfAllLoadsNoneAndSaysOfEachWhatItsOwnHelpBeginsWith() {
    CommandLine list = commandLine("--help");
    CommandLine all = RecorderCommand.withAllCommands(OutputStream.nullOutputStream());

    assertThat(list.getUsageMessage()).isEqualTo(all.getUsageMessage());
    assertThat(list.getSubcommands().values())
        .allSatisfy(command -> assertThat(command.getCommandSpec().userObject()).isNull());
  }

  @ParameterizedTest
  @CsvSource({
    "statu --help, recorder status",
    "--help statu, recorder status",
    "capture ad --help, capture add"
  })
  void anUnknownCommandHasNoHelp(String line, String meant) {
    assertThat(execute(Run.words(line))).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("Did you mean: ").contains(meant);
  }

  private static CommandLine commandLine(String... args) {
    return RecorderCommand.commandLine(OutputStream.nullOutputStream(), args);
  }

  private int execute(String... args) {
    CommandLine command = commandLine(args);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(args);
  }
}
