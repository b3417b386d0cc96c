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
import java.util.List;
import java.util.Locale;

/**
 * The commands in the order of the help. Only the called one is instantiated: reflection over the
 * options of all of them takes longer than the rest of the daemon's start.
 */
enum Subcommand {
  RUN,
  STATUS,
  EXPLAIN,
  TAKEOVERS,
  VERIFY,
  SWITCHOVER,
  DRAIN,
  UNDRAIN,
  PAUSE,
  RESUME,
  RELOAD,
  EXPIRE,
  CLEAR,
  REBASE,
  REQUESTS,
  TASKS,
  LOCK,
  CAPTURE,
  INIT,
  SCHEMA,
  CHECK,
  AT,
  CAT,
  REPLAY,
  HELP;

  /** The command that the arguments name; all commands if they name none, for the help. */
  static List<Subcommand> called(String... args) {
    String word = Main.firstWord(args);
    List<Subcommand> called =
        Arrays.stream(values()).filter(command -> command.word().equals(word)).toList();
    return called.isEmpty() ? List.of(values()) : called;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Makes the object with picocli's annotations.
   *
   * @param rows where {@code cat} writes
   */
  Object make(OutputStream rows) {
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
      case REPLAY -> new ReplayCommand();
      case HELP -> new HelpCommand();
    };
  }
}
