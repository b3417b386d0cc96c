package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows machines and recorders as the database knows them, whether this host runs one or not. */
@Command(
    name = "status",
    description = "Show machines and recorders, and what is not as it should be.",
    mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {
  public static final String CHECK = "--check";

  /** Counting a longer backlog would take seconds, and tell no more. */
  static final int MOST_COUNTED = 1_000_000;

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(
      names = CHECK,
      description =
          "For a monitor: one line, and 0, 1, 2 or 3 as Nagios has it (fine, warning, critical,"
              + " unknown).")
  private boolean check;

  @Option(names = "--watch", description = "Redraw it every second, until Ctrl-C.")
  private boolean watch;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    if (watch && (check || output.isJson())) {
      throw new ParameterException(
          spec.commandLine(), "--watch is for people: leave out --check and -o json");
    }
    if (check) {
      return check();
    }
    RecorderConfig loaded = config.load(NeededSections.DATABASE);
    if (watch) {
      return watch(loaded);
    }
    try (CommandResources site = CommandResources.open(loaded)) {
      show(spec.commandLine().getOut(), look(site));
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

  // ---- for monitors

  private int check() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      RecorderConfig loaded = config.load(NeededSections.DATABASE);
      try (CommandResources site =
          CommandResources.open(loaded, CommandResources.SHORTEST_ANSWER)) {
        Diagnosis found = look(site);
        // Data of nothing would leave open whether it is the right database.
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

  // ---- for people who look on

  /** A database that is away for a while is waited for, and said to be away. */
  private int watch(RecorderConfig loaded) throws InterruptedException {
    new StatusWatch(() -> shot(loaded), TerminalSize::now, Ticker.system())
        .run(spec.commandLine().getOut());
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
