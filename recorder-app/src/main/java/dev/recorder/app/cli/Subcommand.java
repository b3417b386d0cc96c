package dev.recorder.app.cli;

import dev.recorder.app.cli.capture.CaptureCommand;
import dev.recorder.app.cli.host.DrainCommand;
import dev.recorder.app.cli.host.PauseCommand;
import dev.recorder.app.cli.host.ReloadCommand;
import dev.recorder.app.cli.host.ResumeCommand;
import dev.recorder.app.cli.host.SwitchoverCommand;
import dev.recorder.app.cli.host.UndrainCommand;
import dev.recorder.app.cli.lock.LockCommand;
import dev.recorder.app.cli.log.AtCommand;
import dev.recorder.app.cli.log.CatCommand;
import dev.recorder.app.cli.log.ClearCommand;
import dev.recorder.app.cli.log.ExpireCommand;
import dev.recorder.app.cli.log.RebaseCommand;
import dev.recorder.app.cli.log.ReplayCommand;
import dev.recorder.app.cli.log.SqlCommand;
import dev.recorder.app.cli.log.VerifyCommand;
import dev.recorder.app.cli.requests.RequestsCommand;
import dev.recorder.app.cli.setup.CheckCommand;
import dev.recorder.app.cli.setup.InitCommand;
import dev.recorder.app.cli.setup.SchemaCommand;
import dev.recorder.app.cli.status.ExplainCommand;
import dev.recorder.app.cli.status.StatusCommand;
import dev.recorder.app.cli.status.TakeoversCommand;
import dev.recorder.app.cli.tasks.TasksCommand;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The commands in the order of the help, each with its sentence in the list of commands. A
 * command's class is loaded only if the command is called: reading the options of all commands by
 * reflection takes longer than most commands.
 */
enum Subcommand {
  RUN("Run the daemon of this host, until SIGTERM."),
  STATUS("Show hosts and recorders, and notes about faults."),
  EXPLAIN("Say why this host is or is not recording, and what would change it."),
  TAKEOVERS("Show who took over from whom, when and why, the latest first."),
  VERIFY(
      "Prove that each row is in the log once and in order, and that the log has no gap; for a"
          + " recorder of requests, that each document matches its complete requests."),
  SWITCHOVER("Move a recorder to another host now."),
  DRAIN("Make a host hand over all its logs, as before a reboot, and take no others."),
  UNDRAIN("Let a drained host take recorders again."),
  PAUSE("Pause a recorder on all hosts for a given time."),
  RESUME("End the pause of a recorder now."),
  RELOAD("Make this host's daemon read its file again, and print the result for each recorder."),
  EXPIRE("Raise a log's floor: slots below a number are not needed any more."),
  CLEAR(
      "Show which recorded rows would be deleted from the table now, and why the others would"
          + " not."),
  REBASE(
      "Let a recorder continue in a database that was moved, dumped and restored, or replicated"
          + " row by row."),
  REQUESTS("Hand over requests, list them, retry failed ones, cancel."),
  TASKS("Task lists, each task with one owner at a time: add, capture, set, list."),
  LOCK("Run commands under locks, show locks and their holders, release locks."),
  CAPTURE(
      "Capture changes of tables in a log or in documents; list, check and end captures; take"
          + " snapshots."),
  INIT(
      "Write the files for two hosts into an empty folder: configuration, SQL, policies, systemd"
          + " unit."),
  SCHEMA("Print the SQL that creates roles, tables and rights, for psql. It may be run again."),
  CHECK("Check the configuration file; with --online also the database, the buckets and Redis."),
  AT("Show where logs were at a moment: the last slot of the last whole window before it."),
  CAT("Write a log's rows to standard output, as NDJSON, in order."),
  SQL("Print what makes a log readable in DuckDB, Athena, Spark or another engine."),
  REPLAY("Rebuild the captured tables of a log in another database, from S3 alone."),
  HELP("Show the help of a command, such as 'help capture add'.");

  private final String help;

  Subcommand(String help) {
    this.help = help;
  }

  /** Returns the command that the arguments call; empty if they call none. */
  static Optional<Subcommand> called(String... args) {
    String word = Main.firstWord(args);
    return Arrays.stream(values()).filter(command -> command.word().equals(word)).findFirst();
  }

  /** Returns the command with its options and its full description. */
  CommandLine whole(OutputStream rows) {
    CommandLine command = new CommandLine(make(rows));
    command.getCommandSpec().name(word());
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.description(
        Stream.concat(Stream.of(help), Arrays.stream(usage.description())).toArray(String[]::new));
    return command;
  }

  /** Returns the command without options, for the list of commands. */
  CommandLine listed() {
    CommandSpec spec = CommandSpec.create().name(word());
    spec.usageMessage().description(help);
    return new CommandLine(spec);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Creates the object with picocli's annotations.
   *
   * @param rows receives the rows that {@code cat} writes
   */
  private Object make(OutputStream rows) {
    return switch (this) {
      case RUN -> new RunCommand();
      case STATUS -> new StatusCommand();
      case EXPLAIN -> new ExplainCommand();
      case TAKEOVERS -> new TakeoversCommand();
      case VERIFY -> new VerifyCommand();
      case SWITCHOVER -> new SwitchoverCommand();
      case DRAIN -> new DrainCommand();
      case UNDRAIN -> new UndrainCommand();
      case PAUSE -> new PauseCommand();
      case RESUME -> new ResumeCommand();
      case RELOAD -> new ReloadCommand();
      case EXPIRE -> new ExpireCommand();
      case CLEAR -> new ClearCommand();
      case REBASE -> new RebaseCommand();
      case REQUESTS -> new RequestsCommand();
      case TASKS -> new TasksCommand();
      case LOCK -> new LockCommand();
      case CAPTURE -> new CaptureCommand();
      case INIT -> new InitCommand();
      case SCHEMA -> new SchemaCommand();
      case CHECK -> new CheckCommand();
      case AT -> new AtCommand();
      case CAT -> new CatCommand(rows);
      case SQL -> new SqlCommand();
      case REPLAY -> new ReplayCommand();
      case HELP -> new HelpCommand();
    };
  }
}
