package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets this host's daemon reload its file, and waits for the effects. */
@Command(
    description = "A file with an error changes nothing. SIGHUP does the same without an answer.",
    mixinStandardHelpOptions = true)
public final class ReloadCommand extends PrintingCommand {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Option(
      names = "--dry-run",
      description = "Only compare the file with the running configuration; change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    RecorderConfig loaded = ReloadReport.load(spec(), output, config, dryRun);
    ReloadReport report = new ReloadReport(spec(), output, loaded.machine().name());
    try (ReloadRun run = ReloadRun.open(loaded, patience)) {
      return dryRun ? report.compared(run.dryRun()) : report.done(run.reload());
    }
  }
}
