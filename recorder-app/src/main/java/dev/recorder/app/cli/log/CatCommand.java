package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.Interruption;
import dev.recorder.app.cli.output.Shown;
import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.LogReaderBuilder;
import dev.recorder.reader.ReaderPosition;
import dev.recorder.reader.RowFilter;
import dev.recorder.slotlog.LogHead;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Writes a log's rows to standard output, slot by slot, each checked before its first row. */
@Command(
    name = "cat",
    description = {
      "Write a log's rows to standard output, as NDJSON, in order.",
      "Ends at the last slot settled when it began, or, with --follow, when it is told to or nobody"
          + " reads any more. Fails at a slot that is missing or damaged."
    },
    mixinStandardHelpOptions = true)
public final class CatCommand implements Callable<Integer> {
  /** How often it asks for the next slot: less than rows usually wait for a fuller one. */
  private static final Duration POLL = Duration.ofMillis(500);

  private final OutputStream out;

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(
      names = "--from",
      paramLabel = "SLOT[:ROW]",
      converter = PositionConverter.class,
      description = "Begin with this slot, or with this row of it (default: the log's first).")
  private @Nullable ReaderPosition from;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what is recorded from now on, until SIGTERM or Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Only rows with this key; may be given several times.")
  private List<String> keys = List.of();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "Only rows whose transaction began then or later, as 2026-01-02T03:04:05Z.")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "Only rows whose transaction began before that. All slots are read all the same.")
  private @Nullable Instant until;

  @Option(
      names = "--positions",
      description = "Before each row, with a tab between: what --from takes to go on behind it.")
  private boolean positions;

  /**
   * A command that writes to {@code out}, which must say when nobody reads any more: {@link
   * java.io.PrintStream} would keep that to itself.
   */
  public CatCommand(OutputStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    if (since != null && until != null && !since.isBefore(until)) {
      throw CommandFailure.usage("--since " + since + " is not before --until " + until);
    }
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    RecorderSection section = CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      CommandResources.Log log = site.log(section);
      PrintWriter err = spec.commandLine().getErr();
      LogReaderBuilder reading = begin(log).onTrouble(news -> say(err, news));
      if (follow) {
        reading.follow(POLL).bounds(site.bounds(log.name()));
        site.disconnect(); // For days, perhaps; it asks again when nothing comes.
      }
      try (LogReader reader = reading.open();
          Interruption end = follow ? Interruption.endingWell(reader::close) : null) {
        write(reader);
      }
    }
    return ExitCode.OK;
  }

  private LogReaderBuilder begin(CommandResources.Log log) throws CommandFailure {
    LogHead head = log.row().head();
    ReaderPosition first = from == null ? ReaderPosition.of(head.firstSlot()) : from;
    if (first.slot() < head.firstSlot()) {
      throw CommandFailure.usage(
          "the log of %s begins with slot %d: older slots have expired"
              .formatted(name, head.firstSlot()));
    }
    return LogReader.of(log.bucket(), log.layout())
        .log(log.row().log())
        .from(first)
        .upTo(head.lastSlot());
  }

  private void write(LogReader reader) throws CommandFailure {
    RowPrinter printer = new RowPrinter(out, new RowFilter(keys, since, until), positions);
    try {
      while (reader.hasNext()) {
        printer.print(reader.next());
      }
    } catch (IOException e) {
      if (!StandardOutput.isReaderGone(e)) { // As head is, when it has read all it wanted.
        throw new CommandFailure(ExitCode.FAULTS, "cannot write the rows: " + e.getMessage());
      }
    }
  }

  private static void say(PrintWriter err, String news) {
    err.println("recorder: " + Shown.lines(news));
    err.flush();
  }

  /** Reads a reader's position on the command line. */
  static final class PositionConverter implements ITypeConverter<ReaderPosition> {
    @Override
    public ReaderPosition convert(String text) {
      try {
        return ReaderPosition.parse(text);
      } catch (IllegalArgumentException bad) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is not a position; write a slot, such as 17, or a slot and a row of it,"
                + " such as 17:204; both count from 1");
      }
    }
  }

  /** Reads a moment on the command line; one without a zone might mean either host's. */
  static final class TimeConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException bad) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is not a time with its zone; write it as 2026-01-02T03:04:05Z or"
                + " 2026-01-02T04:04:05.678+01:00");
      }
    }
  }
}
