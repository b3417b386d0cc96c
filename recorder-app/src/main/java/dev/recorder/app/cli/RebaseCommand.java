package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.operate.Rebase;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets a log go on in a database that was dumped and restored. See {@link Rebase}. */
@Command(
    name = "rebase",
    description = {
      "Let a log go on in a database that was dumped and restored, or replicated row by row.",
      "Renumbers the rows of the hand-off table: which of them are recorded stays as it was. Does"
          + " nothing where that is not needed, and may be run again after a failure."
    },
    mixinStandardHelpOptions = true)
final class RebaseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder. No machine may hold it.")
  private String name;

  @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--yes",
      description = "Confirm that no machine records from the original database any more.")
  private boolean yes;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    if (!dryRun && !yes) {
      throw CommandFailure.usage(
          "a machine that still records from the original database would go on writing this log,"
              + " and rows would be in it twice; nobody can see that from here: stop its machines,"
              + " then add --yes, or look first with --dry-run");
    }
    RecorderSection section = CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded);
        Rebase rebase = site.rebase(section)) {
      print(dryRun ? rebase.preview() : rebase.run());
    }
    return ExitCode.OK;
  }

  private void print(Rebase.Rebased result) {
    PrintWriter out = spec.commandLine().getOut();
    if (!result.isNeeded()) {
      out.println("recorder " + name + " needs no rebase: its numbers are this server's own");
      return;
    }
    out.println(Shown.of(result.why()));
    out.println("slots in S3 that were not settled here: " + result.adopted());
    out.println("last slot before the rebase: " + result.lastSlot());
    out.println("rows here that are recorded: " + result.recorded());
    out.println("rows here that come next: " + result.waiting());
    if (result.undecided() > 0) {
      out.println(
          "rows here to be looked up in S3: "
              + result.undecided()
              + " (this server has given out their numbers, too)");
    }
    out.println(
        dryRun
            ? "nothing was changed; rows were counted before adopting"
            : "recorder " + name + " is rebased: restart its machines");
  }
}
