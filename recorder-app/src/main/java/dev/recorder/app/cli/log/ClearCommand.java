package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.Table;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Term;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows which recorded rows of a log's table would be cleared away, and why the others would not.
 */
@Command(
    name = "clear",
    description = {
      "Show which recorded rows would be deleted from the table now, and why the others"
          + " would not.",
      "The active host deletes them by itself after history; this command changes nothing."
    },
    mixinStandardHelpOptions = true)
public final class ClearCommand implements Callable<Integer> {
  /** For those who keep rows forever: what would go if it were for less. */
  private static final Duration NOT_AT_ALL = Duration.ZERO;

  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(names = "--dry-run", required = true, description = "Only show; change nothing.")
  @SuppressWarnings("UnusedVariable") // It must be said; there is nothing else to do here.
  private boolean dryRun;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    RecorderSection section = CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      output.print(preview(site, section), table(), ClearCommand::json);
    }
    return ExitCode.OK;
  }

  private List<Report> preview(CommandResources site, RecorderSection section)
      throws CommandFailure, UnreadableSlotException {
    CommandResources.Log log = site.log(section);
    Term nobodys = new Term(log.row().lockId(), 0, "", log.row().log());
    Duration history = section.get(RecorderSectionKeys.HISTORY).kept();
    try (JdbcHandoffLeaves leaves = JdbcHandoffLeaves.open(site.sessions(), log.name(), nobodys)) {
      return new LogClearing(
              log.bucket(), log.layout(), () -> true, ReadingRoom.HEAP, Ticker.system())
          .preview(leaves, new ClearingPlan(history == null ? NOT_AT_ALL : history));
    }
  }

  private static Table<Report> table() {
    return new Table<Report>()
        .number("BLOCK", Report::block)
        .number("ROWS", Report::rows)
        .number("MB", report -> report.bytes() >> 20)
        .text("GOES", report -> report.isCleared() ? "yes" : "no")
        .text("WHY", Report::why);
  }

  private static JsonObject json(Report report) {
    return new JsonObject()
        .with("block", report.block())
        .with("rows", report.rows())
        .with("bytes", report.bytes())
        .with("goes", report.isCleared())
        .with("why", report.why());
  }
}
