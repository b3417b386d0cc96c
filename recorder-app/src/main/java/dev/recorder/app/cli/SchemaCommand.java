package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the SQL for an administrator to run; connects with nothing. */
@Command(
    name = "schema",
    description = "Print the SQL that creates roles, tables and rights; for psql, repeatable.",
    mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Override
  public Integer call() throws ConfigException {
    RecorderConfig loaded = config.load();
    DatabaseSettings database = ConfiguredMachine.database(loaded);
    List<HandoffTable> tables = loaded.recorders().stream().map(SchemaCommand::table).toList();
    String script = new Schema(database.schemas()).script(database.user(), tables);
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  /** Whoever has not said how long rows are to stay keeps those of an earlier table. */
  private static HandoffTable table(RecorderSection recorder) {
    return new HandoffTable(
        new RecorderName(recorder.name()),
        ConfiguredMachine.kind(recorder),
        recorder.batching().maxPayload().bytes(),
        recorder.history().isWritten() && recorder.history().kept() != null);
  }
}
