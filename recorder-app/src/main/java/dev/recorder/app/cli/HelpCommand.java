package dev.recorder.app.cli;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import java.io.OutputStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints the help of the command that the arguments name, and reports an unknown command. Only the
 * class of that command is instantiated.
 */
@Command(mixinStandardHelpOptions = true)
final class HelpCommand extends PrintingCommand {
  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "All commands without it.")
  private List<String> words = List.of();

  @Override
  public Integer call() {
    CommandLine asked =
        RecorderCommand.commandLine(OutputStream.nullOutputStream(), words.toArray(String[]::new))
            .setOut(out())
            .setErr(err());
    for (String word : words) {
      CommandLine next = asked.getSubcommands().get(word);
      if (next == null) {
        throw new UnmatchedArgumentException(asked, List.of(word));
      }
      asked = next;
    }
    asked.usage(out());
    out().flush();
    return ExitCode.OK;
  }
}
