package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.diagnosis.HostRole;
import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.rebase.Rebase;
import dev.recorder.operate.site.Facts;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets a recorder continue in another database, such as a restored dump. See {@link Rebase}. */
@Command(
    description =
        "Pins the recorder to this database. If another server numbered the rows of a log's"
            + " hand-off table, renumbers them; recorded rows stay recorded. Does nothing if"
            + " nothing is needed, and may be run again after a failure.",
    mixinStandardHelpOptions = true)
public final class RebaseCommand extends PrintingCommand {
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder. No host may hold it.")
  private String name;

  @Option(names = "--dry-run", description = "Print what would be done; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--yes",
      description = "Confirm that no host records from the original database any more.")
  private boolean yes;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    RecorderConfig loaded = config.load(RequiredSections.ofRecorders(List.of(name)));
    if (!dryRun && !yes) {
      throw CommandFailure.usage(
          "a host that still records from the original database would continue to write this log,"
              + " and rows would be in it twice; this command cannot see that: stop its hosts,"
              + " then add --yes, or look first with --dry-run");
    }
    RecorderSection section = CommandResources.section(loaded, name);
    if (section.kind() != RecorderKind.LOG) {
      return pin(loaded, section);
    }
    try (CommandResources site = CommandResources.open(loaded);
        Rebase rebase = site.rebase(section)) {
      print(dryRun ? rebase.preview() : rebase.run());
    }
    return ExitCode.OK;
  }

  /** Pins a recorder of requests to this database. Requests have no numbers to renumber. */
  private int pin(RecorderConfig loaded, RecorderSection section) throws CommandFailure {
    PrintWriter out = out();
    try (CommandResources site = CommandResources.open(loaded)) {
      site.documents(section);
      String why =
          site.database().database().another(new RecorderName(section.name()), section.lockId());
      if (why.isEmpty()) {
        out.println("recorder " + name + " needs no rebase: it writes from this database");
        return ExitCode.OK;
      }
      out.println(EscapedText.of(why));
      if (!dryRun) {
        refuseWhileHeld(site.database().facts(loaded.timing().takeoverAfter(), 0));
        site.database().database().pin(section.lockId());
      }
      out.println(
          dryRun ? "nothing was changed" : "recorder " + name + " is rebased: restart its hosts");
    }
    return ExitCode.OK;
  }

  /**
   * Refuses while a host works on the requests: on its open sessions the host would continue to
   * write for the former database.
   */
  private void refuseWhileHeld(Facts facts) throws CommandFailure {
    List<String> holders =
        HostRole.all(facts).stream()
            .filter(role -> role.recorder().name().equals(name))
            .filter(role -> role.actual() == Actual.WORKS || role.actual() == Actual.PAUSED)
            .map(role -> role.host().name())
            .toList();
    if (!holders.isEmpty()) {
      throw CommandFailure.tryLater(
          "recorder "
              + name
              + " is held by "
              + String.join(", ", holders)
              + "; stop its hosts first");
    }
  }

  private void print(Rebase.Rebased result) {
    PrintWriter out = out();
    if (!result.isNeeded()) {
      out.println(
          "recorder "
              + name
              + " needs no rebase: it writes from this database, whose numbers its rows have");
      return;
    }
    out.println(EscapedText.of(result.why()));
    out.println("slots in S3 that were not settled here: " + result.adopted());
    out.println("last slot before the rebase: " + result.lastSlot());
    if (result.renumbers()) {
      out.println("rows here that are recorded: " + result.recorded());
      out.println("rows here that come next: " + result.waiting());
    }
    if (result.undecided() > 0) {
      out.println(
          "rows here to be looked up in S3: "
              + result.undecided()
              + " (this server has given out their numbers, too)");
    }
    out.println(
        dryRun
            ? "nothing was changed; rows were counted before adopting"
            : "recorder " + name + " is rebased: restart its hosts");
  }
}
