package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Finds captures that miss changes. */
@Command(
    name = "check",
    description = {
      "Find captures that miss changes, or will: triggers that are gone or disabled,"
          + " partitions",
      "without triggers, columns that have changed, rows that may be too large, tables of" + " the",
      "file that are not set up.",
      "Exit code 1 if changes are lost."
    },
    mixinStandardHelpOptions = true)
final class CaptureCheckCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws ConfigException {
    RecorderConfig loaded = config.load();
    List<CaptureFinding> findings = new ArrayList<>();
    try (Captures captures = CaptureTarget.open(loaded)) {
      for (RecorderSection recorder : loaded.recorders()) {
        findings.addAll(captures.check(ConfiguredMachine.captures(recorder)));
      }
      findings.addAll(captures.check());
    }
    output.print(
        findings,
        new ListColumns<CaptureFinding>()
            .text("RECORDER", "recorder", CaptureFinding::recorder)
            .text("TABLE", "table", CaptureFinding::table)
            .text("LOSES CHANGES", finding -> finding.losesChanges() ? "yes" : "no")
            .member("loses_changes", CaptureFinding::losesChanges)
            .text("FINDING", "finding", CaptureFinding::text));
    return findings.stream().anyMatch(CaptureFinding::losesChanges) ? ExitCode.FAULTS : ExitCode.OK;
  }
}
