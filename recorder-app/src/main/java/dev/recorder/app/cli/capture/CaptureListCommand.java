package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the captured tables. */
@Command(
    name = "list",
    description = "Show which tables are captured by which recorder, and how.",
    mixinStandardHelpOptions = true)
final class CaptureListCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws ConfigException {
    try (Captures captures = CaptureTarget.open(config.load(RequiredSections.DATABASE))) {
      List<SnapshotState> snapshots = captures.snapshots();
      output.print(captures.list(), table(snapshots));
    }
    return ExitCode.OK;
  }

  private static @Nullable SnapshotState last(Capture capture, List<SnapshotState> snapshots) {
    return snapshots.stream()
        .filter(last -> last.recorder().equals(capture.rule().recorder().value()))
        .filter(last -> last.table().equals(capture.rule().table().logged()))
        .findFirst()
        .orElse(null);
  }

  /** Returns the time when the snapshot ended, or its progress. */
  private static @Nullable Object shown(@Nullable SnapshotState last) {
    if (last == null) {
      return null;
    }
    return last.endedAt() == null ? last.percent() + " %" : last.endedAt();
  }

  private static @Nullable JsonObject json(@Nullable SnapshotState last) {
    return last == null
        ? null
        : new JsonObject()
            .with("rows", last.rows())
            .with("percent", last.percent())
            .with("begun", last.begunAt())
            .with("updated", last.updatedAt())
            .with("ended", last.endedAt());
  }

  private static ListColumns<Capture> table(List<SnapshotState> snapshots) {
    return new ListColumns<Capture>()
        .text("RECORDER", "recorder", capture -> capture.rule().recorder().value())
        .text("TABLE", capture -> capture.rule().table())
        .member("table", capture -> capture.rule().table().logged())
        .text("OLD", "old", capture -> capture.rule().options().old().word())
        .text("COLUMNS", CaptureListCommand::columns)
        .member("columns", capture -> capture.rule().options().columns().only())
        .member("except", capture -> capture.rule().options().columns().except())
        .text("WHEN", "when", capture -> capture.rule().options().when())
        .text("KEY", "key", capture -> capture.rule().options().key())
        .text("ENTITY", "entity", capture -> capture.rule().options().entity())
        .number("TABLES", capture -> capture.relations().size())
        .member("captured", c -> c.relations().stream().map(TableName::logged).toList())
        .text("SINCE", "since", Capture::since)
        .text("SNAPSHOT", capture -> shown(last(capture, snapshots)))
        .member("snapshot", capture -> json(last(capture, snapshots)));
  }

  private static String columns(Capture capture) {
    List<String> only = capture.rule().options().columns().only();
    List<String> except = capture.rule().options().columns().except();
    if (!only.isEmpty()) {
      return String.join(",", only);
    }
    return except.isEmpty() ? "all" : "all but " + String.join(",", except);
  }
}
