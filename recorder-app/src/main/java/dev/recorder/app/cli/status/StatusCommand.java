package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the state of hosts and recorders from the database. */
@Command(mixinStandardHelpOptions = true)
public final class StatusCommand extends PrintingCommand {
  public static final String CHECK = "--check";

  /** The most waiting rows that are counted. Counting more would take seconds. */
  static final int MOST_COUNTED = 1_000_000;

  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(
      names = CHECK,
      description =
          "For a monitor: one line, and the exit code of Nagios: 0 fine, 1 warning, 2"
              + " critical, 3 unknown.")
  private boolean check;

  @Option(names = "--watch", description = "Redraw it every second, until Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    if (watch && (check || output.isJson())) {
      throw misuse("--watch is for people: leave out --check and -o json");
    }
    if (check) {
      return check();
    }
    RecorderConfig loaded = config.load(RequiredSections.DATABASE);
    if (watch) {
      return watch(loaded);
    }
    try (CommandResources site = CommandResources.open(loaded)) {
      show(out(), look(site));
    }
    return ExitCode.OK;
  }

  private static Diagnosis look(CommandResources site) {
    return site.diagnosis(site.config().timing().takeoverAfter(), MOST_COUNTED);
  }

  private void show(PrintWriter out, Diagnosis found) {
    if (output.isJson()) {
      OutputOption.printJson(out, StatusJson.of(found));
    } else {
      new StatusView(found).print(out);
    }
  }

  // ---- --check

  private int check() {
    PrintWriter out = out();
    try {
      RecorderConfig loaded = config.load(RequiredSections.DATABASE);
      try (CommandResources site =
          CommandResources.open(loaded, CommandResources.SHORTEST_ANSWER)) {
        Diagnosis found = look(site);
        // Fails without hosts and recorders: this may be the wrong database.
        if (found.facts().recorders().isEmpty() && found.facts().hosts().isEmpty()) {
          throw CommandFailure.tryLater("no recorder has run yet: start one");
        }
        if (output.isJson()) {
          OutputOption.printJson(out, StatusJson.of(found));
        } else {
          StatusCheck.lines(found).forEach(out::println);
        }
        return StatusCheck.exitCode(found.notes());
      }
    } catch (DatabaseException unreachable) {
      String why = String.valueOf(unreachable.getMessage());
      if (output.isJson()) {
        OutputOption.printJson(out, StatusJson.unknown("critical", "database", why));
      } else {
        out.println(StatusCheck.unreachable(why));
      }
      return StatusCheck.CRITICAL;
    } catch (ConfigException | CommandFailure notKnown) {
      String why = String.valueOf(notKnown.getMessage());
      if (output.isJson()) {
        OutputOption.printJson(out, StatusJson.unknown("unknown", "not_known", why));
      } else {
        out.println(StatusCheck.unknown(why));
      }
      return StatusCheck.UNKNOWN;
    }
  }

  // ---- --watch

  /**
   * Redraws the status until its reader is gone. Shows the failure while the database is
   * unreachable.
   */
  private int watch(RecorderConfig loaded) throws InterruptedException {
    new StatusWatch(() -> shot(loaded), TerminalSize::now, Ticker.system()).run(out());
    return ExitCode.OK;
  }

  private static StatusScreen.Shot shot(RecorderConfig loaded) throws CommandFailure {
    StringWriter text = new StringWriter();
    try (CommandResources site = CommandResources.open(loaded);
        PrintWriter lines = new PrintWriter(text)) {
      Diagnosis found = look(site);
      new StatusView(found).printTables(lines);
      return new StatusScreen.Shot(found.facts().at(), found.notes(), text.toString());
    }
  }
}
