package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a log's rows to standard output, slot by slot, each checked before its first row. */
@Command(
    name = "cat",
    description = {
      "Write a log's rows to standard output, as NDJSON, in order.",
      "Ends at the last slot settled when it began. Fails at a slot that is missing or damaged."
    },
    mixinStandardHelpOptions = true)
final class CatCommand implements Callable<Integer> {
  private final OutputStream out;

  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(
      names = "--from",
      paramLabel = "SLOT",
      converter = WholeNumber.class,
      description = "Begin with this slot (default: the log's first).")
  private @Nullable Long from;

  /**
   * A command that writes to {@code out}, which must say when nobody reads any more: {@link
   * java.io.PrintStream} would keep that to itself.
   */
  CatCommand(OutputStream out) {
    this.out = out;
  }

  @Override
  public Integer call()
      throws ConfigException, CommandFailure, UnreadableSlotException, InterruptedException {
    RecorderConfig loaded = config.load();
    RecorderSection section = CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      CommandResources.Log log = site.log(section);
      long floor = log.row().head().firstSlot();
      long first = from == null ? floor : from;
      if (first < floor) {
        throw CommandFailure.usage(
            "the log of " + name + " begins with slot " + floor + ": older slots have expired");
      }
      try (SlotStream slots = new SlotStream(log, first, log.row().head().lastSlot())) {
        write(slots);
      }
    }
    return ExitCode.OK;
  }

  private void write(SlotStream slots)
      throws CommandFailure, UnreadableSlotException, InterruptedException {
    byte[] lines = slots.next();
    while (lines != null) {
      try {
        out.write(lines);
        out.flush();
      } catch (IOException e) {
        if (StandardOutput.isReaderGone(e)) {
          return; // As of head: it has read all it wanted.
        }
        throw new CommandFailure(ExitCode.FAULTS, "cannot write the rows: " + e.getMessage());
      }
      lines = slots.next();
    }
  }
}
