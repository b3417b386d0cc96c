package dev.recorder.app.cli.log;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
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

/** Shows which recorded rows would be deleted from a log's table, and why the others would stay. */
@Command(
    description =
        "The active host deletes them by itself after history; this command changes nothing.",
    mixinStandardHelpOptions = true)
public final class ClearCommand implements Callable<Integer> {
  /** With {@code history = forever}, the preview is made for {@code history = 0}. */
  private static final Duration NOT_AT_ALL = Duration.ZERO;

  @Mixin private RecorderOption recorder;
  @Mixin private OutputOption output;

  @Option(names = "--dry-run", required = true, description = "Only show; change nothing.")
  @SuppressWarnings("UnusedVariable") // Required, since it is the only mode.
  private boolean dryRun;

  @Override
  public Integer call() throws ConfigException, CommandFailure, UnreadableSlotException {
    SelectedRecorder chosen = recorder.load();
    try (CommandResources site = chosen.open()) {
      output.print(preview(site, chosen.section()), table());
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

  private static ListColumns<Report> table() {
    return new ListColumns<Report>()
        .number("BLOCK", "block", Report::block)
        .number("ROWS", "rows", Report::rows)
        .number("MB", report -> report.bytes() >> 20)
        .member("bytes", Report::bytes)
        .text("GOES", report -> report.isCleared() ? "yes" : "no")
        .member("goes", Report::isCleared)
        .text("WHY", "why", Report::why);
  }
}
