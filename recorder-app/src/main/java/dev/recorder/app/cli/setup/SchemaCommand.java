package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.capture.CaptureTarget;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints SQL for an administrator to run. Connects to the database only with {@code --online}. */
@Command(mixinStandardHelpOptions = true)
public final class SchemaCommand extends PrintingCommand {
  @Mixin private ConfigOption config;

  @Option(
      names = "--online",
      description = {
        "Ask the database for the columns of the file's captured tables, and also print the"
            + " SQL",
        "for tables whose captures differ from the file."
      })
  private boolean online;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load();
    String captures = online ? captures(loaded) : hint(loaded);
    out().print(script(loaded) + captures);
    out().flush();
    return ExitCode.OK;
  }

  /** Returns the SQL of all tables and rights, without captures. */
  static String script(RecorderConfig config) {
    DatabaseSettings database = ConfiguredMachine.database(config);
    List<HandoffTable> tables = config.recorders().stream().map(SchemaCommand::table).toList();
    return new Schema(database.schemas()).script(database.user(), tables);
  }

  private static String hint(RecorderConfig config) {
    boolean any = config.recorders().stream().anyMatch(r -> !r.captures().isEmpty());
    return any
        ? """

        -- The file has tables captured. Once all this is there, run the output of
        -- 'recorder schema --online', too: it asks the database for their columns.
        """
        : "";
  }

  private static String captures(RecorderConfig config) throws CommandFailure {
    StringBuilder script = new StringBuilder();
    try (Captures captures = CaptureTarget.open(config)) {
      for (RecorderSection recorder : config.recorders()) {
        List<CaptureRule> rules = ConfiguredMachine.captures(recorder);
        try {
          script.append(captures.script(rules));
        } catch (RefusedCaptureException refused) {
          throw CommandFailure.usage(place(config, recorder) + ": " + refused.getMessage());
        }
      }
    }
    return script.toString();
  }

  private static String place(RecorderConfig config, RecorderSection recorder) {
    return ConfigFile.place(config.sourceFile(), "recorder:" + recorder.name(), "capture");
  }

  private static HandoffTable table(RecorderSection recorder) {
    return new HandoffTable(
        new RecorderName(recorder.name()),
        recorder.kind(),
        recorder.get(RecorderSectionKeys.MAX_PAYLOAD).bytes());
  }
}
