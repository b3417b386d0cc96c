package dev.recorder.app.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command, which does nothing but hold the others. */
@Command(
    name = "recorder",
    description = "Records PostgreSQL rows into S3, highly available.",
    mixinStandardHelpOptions = true,
    versionProvider = RecorderCommand.Version.class,
    subcommands = RunCommand.class,
    synopsisSubcommandLabel = "COMMAND")
public final class RecorderCommand implements Runnable {
  @Spec private CommandSpec spec;

  private RecorderCommand() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new RecorderCommand()).setExecutionExceptionHandler(new Failures());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** The program's version, {@code development} if it does not run from a built jar. */
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
