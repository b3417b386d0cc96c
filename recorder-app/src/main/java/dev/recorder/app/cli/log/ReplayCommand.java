package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.app.daemon.Stores;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.logging.Plurals;
import dev.recorder.postgres.Sessions;
import dev.recorder.reader.LogMoment;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.MomentSearch;
import dev.recorder.reader.ReaderPosition;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.ReplayTarget;
import dev.recorder.replay.postgres.JdbcReplayTarget;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rebuilds tables from a log of captured changes, from the bucket alone. */
@Command(
    description =
        "Continues where the last replay of this log into that database ended, and ends at"
            + " the last complete window. Changes only tables that a replay has made.",
    mixinStandardHelpOptions = true)
public final class ReplayCommand extends PrintingCommand {
  @Mixin private RecorderOption recorder;
  @Mixin private OutputOption output;

  @Option(
      names = "--into",
      paramLabel = "FILE",
      required = true,
      description = "A configuration file whose section [postgredb] names the target database.")
  private Path into = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "SLOT",
      converter = WholeNumber.class,
      description = "Start with this slot; only in a database without tables of this log.")
  private @Nullable Long from;

  @Option(
      names = "--until",
      paramLabel = MomentConverter.LABEL,
      converter = MomentConverter.class,
      description =
          "End with the last whole window before a time of the recorded database's clock, a slot,"
              + " or a transaction.")
  private @Nullable LogMoment until;

  private String name = "";

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    SelectedRecorder chosen = recorder.load();
    RecorderSection section = chosen.section();
    name = section.name();
    if (section.kind() != RecorderKind.LOG) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has kind = requests: it keeps documents, and no log");
    }
    LogLayout layout = ConfiguredMachine.layout(section);
    String obstacle = layout.compression().obstacle();
    if (!obstacle.isEmpty()) {
      throw new CommandFailure(ExitCode.CONFIGURATION, obstacle);
    }
    Sessions sessions = sessions(ConfigFile.loadForLocks(into, RequiredSections.DATABASE).config());
    try (Stores stores = new Stores(chosen.config())) {
      ObjectStore bucket = stores.of(section);
      UUID log = LogReader.of(bucket, layout).identity();
      try (ReplayTarget target = JdbcReplayTarget.open(sessions, layout.recorder(), log)) {
        print(log, replay(log, bucket, layout, target));
      }
    }
    return ExitCode.OK;
  }

  private Sessions sessions(LockConfig target) throws CommandFailure {
    DatabaseConfig database = target.database();
    if (database == null) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION, into + " has no section [postgredb], which names the target");
    }
    return new Sessions(
        ConfiguredMachine.database(database, target.networkTimeout()), target.machine().name());
  }

  private ReplayResult replay(UUID log, ObjectStore bucket, LogLayout layout, ReplayTarget target)
      throws CommandFailure {
    ReplayPosition position = target.position().orElse(null);
    if (position != null && from != null && from != position.nextSlot()) {
      throw CommandFailure.usage(
          "this database has the log of %s up to slot %d: it continues with slot %d, without --from"
              .formatted(name, position.nextSlot() - 1, position.nextSlot()));
    }
    ReplayPosition begin =
        position != null ? position : ReplayPosition.of(from == null ? 1 : Math.max(1, from));
    long before = before(log, bucket, layout, begin);
    TerminalLine line = new TerminalLine(err(), Ticker.system());
    try (LogReader slots =
        LogReader.of(bucket, layout)
            .from(ReaderPosition.of(begin.nextSlot()))
            .onTrouble(news -> tell(line, news))
            .open()) {
      Replay.ReplayProgress progress = output.showsProgress() ? onto(line) : (slot, rows) -> {};
      return new Replay(target, begin, telling(line, progress)).run(slots, before);
    } finally {
      line.erase();
    }
  }

  /** Returns the slot to stop before. */
  private long before(UUID log, ObjectStore bucket, LogLayout layout, ReplayPosition begin)
      throws CommandFailure {
    if (until == null) {
      return Long.MAX_VALUE;
    }
    MomentSearch search = MomentSearch.of(bucket, layout, log);
    long done = begin.nextSlot() - 1;
    long before = search.firstNotBefore(until, search.isThere(done) ? done : begin.nextSlot());
    if (before < begin.nextSlot()) {
      throw CommandFailure.usage(
          "the replay continues with slot %d, which is after %s: name a later moment, or replay into another database"
              .formatted(begin.nextSlot(), until));
    }
    return before;
  }

  /**
   * Prints each note on data that could not be rebuilt at once. If this replay fails later, the
   * next one continues after that place, and would not print the note.
   */
  private Replay.ReplayProgress telling(TerminalLine line, Replay.ReplayProgress progress) {
    return new Replay.ReplayProgress() {
      @Override
      public void read(long slot, long rows) {
        progress.read(slot, rows);
      }

      @Override
      public void told(ReplayNote note) {
        tell(line, note.text());
      }
    };
  }

  private void tell(TerminalLine line, String what) {
    line.erase();
    warn("recorder: " + name + ": " + what);
  }

  static Replay.ReplayProgress onto(TerminalLine line) {
    return (slot, rows) ->
        line.show(rows, () -> String.format(Locale.ROOT, "slot %,d, %,d rows", slot, rows));
  }

  private void print(UUID log, ReplayResult result) {
    output.printOne(result, table(log));
    notes(result).forEach(note -> warn("recorder: " + name + ": " + note));
    out().flush();
  }

  private static List<String> notes(ReplayResult result) {
    List<String> notes = new ArrayList<>();
    if (result.rows() == 0 && result.nextSlot() == 1) {
      notes.add(
          "there is no slot 1: nothing is recorded yet, or the first slots have expired; then"
              + " --from says where to begin");
    }
    if (result.lookAlikes() > 0) {
      notes.add(
          "%s with the members of a captured change came from no capture, and changed nothing"
              .formatted(Plurals.rows(result.lookAlikes())));
    }
    if (result.openSlots() > 0) {
      notes.add(
          "%s left for the next replay, from slot %d on: the window has not ended yet"
              .formatted(
                  Plurals.of(result.openSlots(), "slot is", "slots are"), result.nextSlot()));
    }
    if (!result.stepsBefore().isEmpty()) {
      notes.add(
          "before slots %s the log goes on from another state of the database, as after a failover or"
                  .formatted(result.stepsBefore())
              + " a restore: if that lost commits, these tables have their changes; a new snapshot of"
              + " each puts that right");
    }
    return notes;
  }

  private ListColumns<ReplayResult> table(UUID log) {
    return new ListColumns<ReplayResult>()
        .text("RECORDER", "recorder", result -> name)
        .member("log", result -> log.toString())
        .number("FROM SLOT", "from_slot", ReplayResult::fromSlot)
        .member("next_slot", ReplayResult::nextSlot)
        .number("SLOTS", "slots", ReplayResult::slots)
        .number("ROWS", "rows", ReplayResult::rows)
        .number("CHANGES", "changes", ReplayResult::changes)
        .number("NEXT SLOT", ReplayResult::nextSlot)
        .member("look_alikes", ReplayResult::lookAlikes)
        .member("open_slots", ReplayResult::openSlots)
        .member("commits_lost_before", ReplayResult::stepsBefore)
        .member("incomplete", ReplayResult::incomplete)
        .member("as_text", ReplayResult::asText);
  }
}
