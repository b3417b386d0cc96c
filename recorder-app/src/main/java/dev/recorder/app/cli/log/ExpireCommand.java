package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.table.TableException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Raises the first slot that a log is said to have. Deletes nothing: afterwards a lifecycle rule,
 * or the owner of the bucket, may delete the objects of lower slots.
 */
@Command(
    description =
        "Readers and verify then start there. It deletes nothing; afterwards the objects"
            + " below may be deleted.",
    mixinStandardHelpOptions = true)
public final class ExpireCommand extends PrintingCommand {
  @Mixin private RecorderOption recorder;

  @Option(
      names = "--below",
      paramLabel = "SLOT",
      required = true,
      converter = WholeNumber.class,
      description = "The first slot that is still needed, at most the last settled slot.")
  private long below;

  @Option(names = "--dry-run", description = "Print which slots would be given up; change nothing.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Confirm: this cannot be undone.")
  private boolean yes;

  @Option(
      names = "--without-table",
      description = "Even if the log's table lacks some of these slots: they are never in it then.")
  private boolean withoutTable;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    SelectedRecorder chosen = recorder.load();
    if (!dryRun && !yes) {
      throw CommandFailure.usage(
          "expire --below cannot be undone: look with --dry-run what goes out of sight, then add"
              + " --yes");
    }
    try (CommandResources site = chosen.open()) {
      if (dryRun) {
        preview(site.database().recorder(chosen.recorder()).map(RecorderRow::head));
      } else {
        CommandResources.Log log = site.log(chosen.section());
        if (!withoutTable && chosen.section().orNull(RecorderSectionKeys.TABLE_FORM) != null) {
          requireInTable(log);
        }
        LogChain before = chainBelow(log);
        long floor = site.database().raiseFloor(chosen.recorder(), below, before);
        if (floor < below) {
          throw tooHigh(floor);
        }
        say("the log of " + recorder.name() + " begins with slot " + floor);
      }
    }
    return ExitCode.OK;
  }

  private void requireInTable(CommandResources.Log log) throws CommandFailure {
    long covered;
    try {
      covered = TableVerification.covered(log).orElse(0L);
    } catch (TableException unknown) {
      throw CommandFailure.tryLater(
          "whether the table of %s has these slots is not known, and --without-table does not ask: %s"
              .formatted(recorder.name(), unknown.getMessage()));
    }
    if (covered < below - 1) {
      throw CommandFailure.tryLater(
          "the table of %s has slots up to %d, and would never get slots %d to %d: wait until it has them, or add --without-table"
              .formatted(recorder.name(), covered, covered + 1, below - 1));
    }
  }

  /**
   * Returns the chain up to the last slot that is given up; null if it is not known. After the
   * objects are deleted, verify needs this chain to prove the new first slot.
   */
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
                .formatted(floor, below - 1, recorder.name(), below)
            : "nothing would go out of sight: the log of %s begins with slot %d"
                .formatted(recorder.name(), floor));
  }

  private CommandFailure tooHigh(long floor) {
    return CommandFailure.usage(
        "the log of %s begins with slot %s, and --below must not lie behind its last settled slot: takeovers look at that"
            .formatted(recorder.name(), floor));
  }

  private void say(String line) {
    out().println(line);
  }
}
