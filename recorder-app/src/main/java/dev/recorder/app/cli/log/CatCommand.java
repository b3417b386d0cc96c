package dev.recorder.app.cli.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.command.ShutdownHook;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.app.config.ConfigException;
import dev.recorder.reader.LogMoment;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.LogReaderBuilder;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import dev.recorder.reader.ReaderPosition;
import dev.recorder.reader.RowFilter;
import dev.recorder.slotlog.LogHead;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Writes a log's rows to standard output. Each slot is checked before its first row. */
@Command(
    description =
        "Ends at the last slot that was settled when it started, or, with --follow, at a"
            + " signal or when its reader ends. Fails at a missing or damaged slot.",
    mixinStandardHelpOptions = true)
public final class CatCommand extends PrintingCommand {
  /** Interval between looks for the next slot; shorter than the usual linger. */
  private static final Duration POLL = Duration.ofMillis(500);

  private final OutputStream rows;

  @Mixin private RecorderOption recorder;

  @Option(
      names = "--from",
      paramLabel = "SLOT[:ROW]",
      converter = PositionConverter.class,
      description = "Start with this slot, or with this row of it (default: the log's first).")
  private @Nullable ReaderPosition from;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue with new rows, until SIGTERM or Ctrl-C.")
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
      description =
          "Only rows whose transaction began at this time or later, such as"
              + " 2026-01-02T03:04:05Z.")
  private @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = MomentConverter.LABEL,
      converter = MomentConverter.class,
      description =
          "Only rows whose transaction began before this time, from all slots; or end before this"
              + " slot, or before the first one with a row of this transaction.")
  private @Nullable LogMoment until;

  @Option(
      names = "--positions",
      description = "Print before each row, and a tab, the position after it, for --from.")
  private boolean positions;

  /**
   * Creates the command.
   *
   * @param rows receives the rows; must throw when its reader is gone, which a {@link
   *     java.io.PrintStream} does not
   */
  public CatCommand(OutputStream rows) {
    this.rows = rows;
  }

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    Instant end = until instanceof LogMoment.TimeOfDatabase time ? time.time() : null;
    if (since != null && end != null && !since.isBefore(end)) {
      throw CommandFailure.usage("--since " + since + " is not before --until " + end);
    }
    if (follow && until != null && end == null) {
      throw CommandFailure.usage("--until " + until + " has an end, --follow has none");
    }
    SelectedRecorder chosen = recorder.load();
    try (CommandResources site = chosen.open()) {
      CommandResources.Log log = site.log(chosen.section());
      LogReaderBuilder reading =
          begin(log).onTrouble(news -> warn("recorder: " + EscapedText.lines(news)));
      if (follow) {
        reading.follow(POLL).bounds(site.bounds(log.name()));
        site.disconnect(); // Following may take days; bounds() opens sessions of its own.
      }
      try (LogReader reader = reading.open();
          ShutdownHook signal = follow ? ShutdownHook.endingWell(reader::close) : null) {
        write(reader, new RowFilter(keys, since, end));
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
              .formatted(log.name(), head.firstSlot()));
    }
    return LogReader.of(log.bucket(), log.layout())
        .log(log.row().log())
        .from(first)
        .upTo(Math.min(head.lastSlot(), before(log, first.slot()) - 1));
  }

  /** Returns the first slot that {@code --until} excludes. */
  private long before(CommandResources.Log log, long first) {
    return until == null || until instanceof LogMoment.TimeOfDatabase
        ? Long.MAX_VALUE
        : log.moments().firstNotBefore(until, first);
  }

  private void write(LogReader reader, RowFilter filter) throws CommandFailure {
    RowPrinter printer = new RowPrinter(rows, filter, positions);
    try {
      while (reader.hasNext()) {
        printer.print(reader.next());
      }
    } catch (IOException e) {
      if (!StandardOutput.isReaderGone(e)) {
        throw new CommandFailure(ExitCode.FAULTS, "cannot write the rows: " + e.getMessage());
      }
    }
  }

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

  /** Reads a time. The time needs its zone, since hosts may be in different zones. */
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

  /** Prints rows. After each slot, all rows of the slot are flushed. */
  private static final class RowPrinter {
    private static final int BUFFER = 64 * 1024;

    private final OutputStream out;
    private final RowFilter filter;
    private final boolean positions;

    RowPrinter(OutputStream out, RowFilter filter, boolean positions) {
      this.out = new BufferedOutputStream(out, BUFFER);
      this.filter = filter;
      this.positions = positions;
    }

    void print(LogSlot slot) throws IOException {
      if (filter.passesAll() && !positions) {
        slot.writeTo(out);
      } else {
        for (LogRow row : slot) {
          print(row);
        }
      }
      out.flush();
    }

    private void print(LogRow row) throws IOException {
      if (!filter.passesAll() && !filter.test(row)) {
        return;
      }
      if (positions) {
        out.write((row.next() + "\t").getBytes(US_ASCII));
      }
      row.writeTo(out);
    }
  }
}
