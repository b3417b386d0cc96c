package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.reader.LogMoment;
import dev.recorder.reader.LogReadException;
import dev.recorder.reader.MomentSearch;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows up to which slot each log has the transactions before a moment. */
@Command(
    description =
        "Up to that slot a log has all transactions that had committed when the window ended, and"
            + " no other. 'recorder replay --until' rebuilds tables as they were there.",
    mixinStandardHelpOptions = true)
public final class AtCommand extends PrintingCommand {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(
      index = "0",
      paramLabel = MomentConverter.LABEL,
      converter = MomentConverter.class,
      description = "A time of the database's clock, a slot, or a transaction.")
  private LogMoment moment;

  @Parameters(index = "1..*", paramLabel = "NAME", description = "Recorders; default all logs.")
  private List<String> names = List.of();

  /** The place of a moment in a log. {@code end} is null if no window had ended by then. */
  private record LogPlace(String recorder, long nextSlot, @Nullable ObjectMetadata end) {
    @Nullable Long slot() {
      return end == null ? null : end.slot();
    }

    @Nullable Instant readAt() {
      return end == null ? null : end.readAt();
    }

    /** Returns the number from which on no transaction is in the slots up to this place. */
    @Nullable String xidsBelow() {
      WindowPart window = end == null ? null : end.window();
      return window == null ? null : Long.toUnsignedString(window.endsBefore());
    }
  }

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded =
        names.isEmpty() ? config.load() : config.load(RequiredSections.ofRecorders(names));
    List<LogPlace> places = new ArrayList<>();
    List<RecorderSection> sections = sections(loaded);
    try (CommandResources site = CommandResources.open(loaded)) {
      for (RecorderSection section : sections) {
        try {
          places.add(place(site.log(section)));
        } catch (CommandFailure | LogReadException e) {
          if (sections.size() == 1) {
            throw e;
          }
          warn(
              "recorder: "
                  + section.name()
                  + ": "
                  + EscapedText.lines(String.valueOf(e.getMessage())));
        }
      }
    }
    output.print(places, table());
    return places.isEmpty() ? ExitCode.FAULTS : ExitCode.OK;
  }

  private List<RecorderSection> sections(RecorderConfig loaded) throws CommandFailure {
    if (names.isEmpty()) {
      return loaded.recorders().stream().filter(r -> r.kind() == RecorderKind.LOG).toList();
    }
    List<RecorderSection> sections = new ArrayList<>();
    for (String name : names) {
      sections.add(CommandResources.section(loaded, name));
    }
    return sections;
  }

  private LogPlace place(CommandResources.Log log) throws CommandFailure {
    long first = log.row().head().firstSlot();
    MomentSearch search = log.moments();
    long next = search.firstNotBefore(moment, first);
    Optional<ObjectMetadata> end = search.lastWindowBefore(next, first);
    if (end.isEmpty() && first > 1) {
      throw log.hasNothingBefore(moment);
    }
    return new LogPlace(log.name().value(), next, end.orElse(null));
  }

  private static ListColumns<LogPlace> table() {
    return new ListColumns<LogPlace>()
        .text("RECORDER", "recorder", LogPlace::recorder)
        .number("SLOT", "slot", LogPlace::slot)
        .text("READ AT", "read_at", LogPlace::readAt)
        .text("TRANSACTIONS BELOW", "xids_below", LogPlace::xidsBelow);
  }
}
