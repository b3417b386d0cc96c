package dev.recorder.app.cli;

import dev.recorder.app.cli.command.CommandGroup;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.app.cli.status.StatusCheck;
import dev.recorder.app.cli.status.StatusCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command, which only groups the others. */
@Command(
    name = "recorder",
    description = "Records PostgreSQL rows into S3, highly available.",
    mixinStandardHelpOptions = true,
    versionProvider = RecorderCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class RecorderCommand extends CommandGroup {
  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show where in the program a failure happened.")
  private boolean verbose;

  private RecorderCommand() {}

  public static void main(String[] args) {
    NameCache.limit();
    OutputStream rows = new FileOutputStream(FileDescriptor.out);
    StandardOutput out = new StandardOutput(rows);
    System.exit(execute(commandLine(rows, args).setOut(out.writer()), out, args));
  }

  /**
   * Runs a command and returns its exit code. The exit code is not 0 if the output could not be
   * printed.
   */
  static int execute(CommandLine command, StandardOutput out, String... args) {
    String lost = BadArguments.lostCharacters(args);
    if (!lost.isEmpty()) {
      command.getErr().println("recorder: " + lost);
      command.getErr().flush();
      return isForMonitors(args) ? StatusCheck.UNKNOWN : ExitCode.USAGE;
    }
    int exitCode = command.execute(args);
    String trouble = out.trouble();
    if (trouble.isEmpty()) {
      return exitCode;
    }
    command.getErr().println("recorder: cannot write to standard output: " + trouble);
    command.getErr().flush();
    return exitCode == ExitCode.OK ? ExitCode.FAULTS : exitCode;
  }

  /**
   * Returns the command line for these arguments. It has only the command that the arguments call;
   * if they call none, it has a list of all commands.
   *
   * @param rows receives the rows that {@code cat} writes, without the writer of messages
   * @param args the arguments that will be executed
   */
  static CommandLine commandLine(OutputStream rows, String... args) {
    return Subcommand.called(args)
        .map(called -> commandLine(List.of(called.whole(rows)), args))
        .orElseGet(
            () -> commandLine(Arrays.stream(Subcommand.values()).map(Subcommand::listed).toList()));
  }

  /** Returns the command line with all commands and all their options. */
  static CommandLine withAllCommands(OutputStream rows) {
    return commandLine(
        Arrays.stream(Subcommand.values()).map(command -> command.whole(rows)).toList());
  }

  private static CommandLine commandLine(List<CommandLine> commands, String... args) {
    CommandLine root = new CommandLine(new RecorderCommand());
    commands.forEach(command -> root.addSubcommand(command));
    root.setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new Failures())
        .setParameterExceptionHandler(new BadArguments())
        .setExecutionStrategy(RecorderCommand::run)
        // A word such as @team is an ordinary argument, also in a command that lock run runs.
        .setExpandAtFiles(false);
    CommandLine status = root.getSubcommands().get(Subcommand.STATUS.word());
    if (status != null && isForMonitors(args)) {
      // Monitors read exit code 2 as critical.
      status.getCommandSpec().exitCodeOnInvalidInput(StatusCheck.UNKNOWN);
    }
    CommandLine lock = root.getSubcommands().get(Subcommand.LOCK.word());
    CommandLine guarded = lock == null ? null : lock.getSubcommands().get("run");
    if (guarded != null) {
      // All further words belong to the command that lock run runs, with or without -- before it.
      guarded.setStopAtPositional(true);
    }
    return root;
  }

  /**
   * Runs the parsed command. A group with an unknown command is an error, also with --help: picocli
   * would print the help of the group.
   */
  private static int run(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    CommandLine command = last.commandSpec().commandLine();
    if (command.getCommand() instanceof CommandGroup && !last.unmatched().isEmpty()) {
      throw new UnmatchedArgumentException(command, last.unmatched());
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static boolean isForMonitors(String... args) {
    return Main.firstWord(args).equals(Subcommand.STATUS.word())
        && List.of(args).contains(StatusCommand.CHECK);
  }

  boolean isVerbose() {
    return verbose;
  }

  /** Returns the version; {@code development} if the program does not run from a built jar. */
  static String version() {
    String version = RecorderCommand.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"recorder " + version()};
    }
  }
}
