package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.config.ConfigException;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.requests.postgres.RequestAdmin;
import dev.recorder.requests.postgres.RequestRow;
import picocli.CommandLine.Mixin;

/** The options that name a recorder of requests. */
final class RequestsOption {
  @Mixin private RecorderOption recorder;

  @FunctionalInterface
  interface RequestsWork {
    int at(RequestAdmin admin) throws CommandFailure;
  }

  /** Opens the database, does {@code work} and returns its exit code. */
  int with(RequestsWork work) throws ConfigException, CommandFailure {
    SelectedRecorder chosen = load();
    try (CommandResources site = chosen.openAfterRun()) {
      return work.at(site.database().requests(chosen.recorder()));
    }
  }

  /**
   * Opens the database without a limit for answers, does {@code work} and returns its exit code.
   * For work on so many requests that an answer may take minutes.
   */
  int withMany(RequestsWork work) throws ConfigException, CommandFailure {
    SelectedRecorder chosen = load();
    try (CommandResources site = chosen.openForMuch()) {
      return work.at(site.database().requests(chosen.recorder()));
    }
  }

  private SelectedRecorder load() throws ConfigException, CommandFailure {
    SelectedRecorder chosen = recorder.load();
    if (chosen.section().kind() != RecorderKind.REQUESTS) {
      throw CommandFailure.usage(
          "recorder '" + chosen.name() + "' has kind = log, not kind = requests");
    }
    return chosen;
  }

  RequestRow find(RequestAdmin admin, long id) throws CommandFailure {
    return admin
        .find(id)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "recorder %s has no request %s; perhaps it was cleared away (history)"
                        .formatted(recorder.name(), id)));
  }
}
