package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Raises a log's floor. It deletes nothing: the recorder never does; afterwards a lifecycle rule,
 * or whoever owns the bucket, may delete the objects below.
 */
@Command(
    name = "expire",
    description = {
      "Say that a log's slots below a number are no longer needed.",
      "Readers and verify then begin there. Deletes nothing; objects below may be deleted after it."
    },
    mixinStandardHelpOptions = true)
public final class ExpireCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(
      names = "--below",
      paramLabel = "SLOT",
      required = true,
      converter = WholeNumber.class,
      description = "The first slot that is still needed; at most the last settled one.")
  private long below;

  @Option(names = "--dry-run", description = "Say what would go out of sight, and change nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Confirm it: it cannot be undone.")
  private boolean yes;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    if (!dryRun && !yes) {
      throw CommandFailure.usage(
          "expire --below cannot be undone: look with --dry-run what goes out of sight, then add"
              + " --yes");
    }
    RecorderSection section = CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      RecorderName recorder = new RecorderName(name);
      if (dryRun) {
        preview(site.database().recorder(recorder).map(RecorderRow::head));
      } else {
        LogChain before = chainBelow(site.log(section));
        long floor = site.database().raiseFloor(recorder, below, before);
        if (floor < below) {
          throw tooHigh(floor);
        }
        say("the log of " + name + " begins with slot " + floor);
      }
    }
    return ExitCode.OK;
  }

  /** Without the objects below, verify proves by it that the first one is what was settled. */
  private @Nullable LogChain chainBelow(CommandResources.Log log) throws UnreadableSlotException {
    return new SlotReader(log.bucket(), log.layout())
        .chain(log.row().log(), below - 1)
        .orElse(null);
  }

  private void preview(Optional<LogHead> head) throws CommandFailure {
    long floor = head.map(LogHead::firstSlot).orElse(0L);
    if (floor < below && head.map(LogHead::lastSlot).orElse(0L) < below) {
      throw tooHigh(floor);
    }
    say(
        floor < below
            ? """
            slots %d to %d of the log of %s would go out of sight for good: cat, verify, readers and \
            each replay, also one into a new database, would begin with slot %d\
            """
                .formatted(floor, below - 1, name, below)
            : "nothing would go out of sight: the log of %s begins with slot %d"
                .formatted(name, floor));
  }

  private CommandFailure tooHigh(long floor) {
    return CommandFailure.usage(
        "the log of %s begins with slot %s, and --below must not lie behind its last settled slot: takeovers look at that"
            .formatted(name, floor));
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
