package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the capture of a table's changes. */
@Command(
    name = "add",
    description = {
      "Capture all changes of a table from now on.",
      "Needs the rights of an administrator; --print prints the SQL for one."
    },
    mixinStandardHelpOptions = true)
final class CaptureAddCommand extends PrintingCommand {
  private static final List<String> OF_LOGS =
      List.of("--columns", "--except", "--key", "--old", "--snapshot");

  @Mixin private CaptureTarget target;
  @Mixin private OutputOption output;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COLUMN",
      description = "Only these columns, with commas between.")
  private List<String> columns = List.of();

  @Option(
      names = "--except",
      split = ",",
      paramLabel = "COLUMN",
      description = "All columns but these, including columns that are added later.")
  private List<String> except = List.of();

  @Option(
      names = "--when",
      paramLabel = "EXPR",
      description = "Only rows for which this SQL condition is true.")
  private @Nullable String when;

  @Option(
      names = "--key",
      paramLabel = "EXPR",
      description = "SQL expression over NOT NULL columns for the key of the row in the log.")
  private @Nullable String key;

  @Option(
      names = "--old",
      paramLabel = "HOW",
      defaultValue = "key",
      description = "Which old values are logged: none, key (default), changed or all.")
  private OldImage old = OldImage.KEY;

  @Option(
      names = "--entity",
      paramLabel = "EXPR",
      description = {
        "For a recorder of requests: SQL expression or query over the row that yields the"
            + " ids of",
        "the entities whose documents it belongs to. Each document is requested; NULL"
            + " requests none."
      })
  private @Nullable String entity;

  @Option(
      names = "--again",
      description = "Set a capture up anew, also for another table that has taken the name.")
  private boolean again;

  @Option(
      names = "--snapshot",
      description = "Then write the existing rows of the table into the log.")
  private boolean snapshot;

  @Option(names = "--print", description = "Print the SQL for psql, and change nothing.")
  private boolean print;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    if (!columns.isEmpty() && !except.isEmpty()) {
      throw misuse("--columns and --except cannot both be given");
    }
    if (print && snapshot) {
      throw misuse(
          "--print changes nothing, so there is no --snapshot: run 'recorder capture snapshot' when"
              + " the SQL has been run");
    }
    WantedCapture wanted = new WantedCapture(target.recorder(), target.table(), options());
    if (print) {
      String script = target.askToAdd(entity != null, captures -> captures.script(wanted, again));
      out().print(script);
      out().flush();
      return ExitCode.OK;
    }
    List<CaptureFinding> warnings = new ArrayList<>();
    String table =
        target.askToAdd(
            entity != null,
            captures -> {
              String logged = captures.add(wanted, again);
              warnings.addAll(captures.warnings(target.recorder(), logged));
              return logged;
            });
    output.print(
        new JsonObject().with("recorder", target.recorder().value()).with("table", table),
        "recorder " + target.recorder() + " captures " + table + " from now on");
    out().flush();
    warnings.forEach(
        warning -> warn(EscapedText.of("recorder: warning: " + table + ": " + warning.text())));
    if (snapshot) {
      SnapshotState last = CaptureSnapshotCommand.run(target, err(), output, false);
      if (!output.isJson()) {
        out().println(CaptureSnapshotCommand.sentence(last));
      }
    }
    return ExitCode.OK;
  }

  private CaptureOptions options() {
    if (entity == null) {
      return new CaptureOptions(new ColumnChoice(columns, except), when, key, old);
    }
    for (String ofLogs : OF_LOGS) {
      if (spec().commandLine().getParseResult().hasMatchedOption(ofLogs)) {
        throw misuse(ofLogs + " has no meaning with --entity: a request has no row");
      }
    }
    return CaptureOptions.ofDocuments(entity, when);
  }
}
