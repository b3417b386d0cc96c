package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Sessions;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name a table, its recorder and the configuration file. */
public final class CaptureTarget {
  @Mixin private ConfigOption config;

  @Parameters(
      paramLabel = "TABLE",
      description = "schema.table, quoted as in SQL; in schema public if it has no schema.")
  private String table;

  @Option(
      names = "--recorder",
      required = true,
      paramLabel = "NAME",
      description = "The recorder: of kind log, or with --entity of kind requests.")
  private String recorder = "";

  String table() {
    return table;
  }

  RecorderName recorder() {
    return new RecorderName(recorder);
  }

  interface CaptureWork<T> {
    T with(Captures captures) throws RefusedCaptureException, InterruptedException;
  }

  /** Does the work on a session of its own. */
  <T> T ask(CaptureWork<T> work) throws ConfigException, CommandFailure, InterruptedException {
    RecorderConfig loaded = load();
    CommandResources.section(loaded, recorder);
    return ask(loaded, work);
  }

  /**
   * Does the work of adding a capture. Fails if the capture does not suit the recorder's kind.
   *
   * @param ofDocuments whether {@code --entity} is given
   */
  <T> T askToAdd(boolean ofDocuments, CaptureWork<T> work)
      throws ConfigException, CommandFailure, InterruptedException {
    RecorderConfig loaded = load();
    RecorderSection section = CommandResources.section(loaded, recorder);
    if (section.kind() == RecorderKind.LOG && ofDocuments) {
      throw CommandFailure.usage(
          "recorder '%s' has kind = log: --entity is for documents, of kind = requests"
              .formatted(recorder));
    } else if (section.kind() != RecorderKind.LOG) {
      requireDocuments(section, ofDocuments);
    }
    return ask(loaded, work);
  }

  private RecorderConfig load() throws ConfigException {
    return config.load(RequiredSections.ofRecorders(List.of(recorder)));
  }

  private void requireDocuments(RecorderSection section, boolean ofDocuments)
      throws CommandFailure {
    if (!ofDocuments) {
      throw CommandFailure.usage(
          "recorder '%s' has kind = requests: say with --entity whose documents a row belongs to"
              .formatted(recorder));
    } else if (section.orNull(RecorderSectionKeys.QUERY) == null
        && section.orNull(RecorderSectionKeys.HANDLER) == null) {
      throw CommandFailure.usage(
          "recorder '%s' merges payloads, of which captured changes have none: give it query = SELECT ..., which builds a document, or a handler of its own"
              .formatted(recorder));
    }
  }

  private <T> T ask(RecorderConfig loaded, CaptureWork<T> work)
      throws CommandFailure, InterruptedException {
    try (Captures captures = open(loaded)) {
      return work.with(captures);
    } catch (RefusedCaptureException refused) {
      throw CommandFailure.usage(String.valueOf(refused.getMessage()));
    }
  }

  public static Captures open(RecorderConfig config) {
    DatabaseSettings database = ConfiguredMachine.database(config);
    return Captures.open(new Sessions(database, config.machine().name()), database.user());
  }
}
