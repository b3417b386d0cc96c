package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.postgres.RequestDesk;
import dev.recorder.requests.postgres.RequestRow;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which recorder's requests a command is about. */
final class RequestsOption {
  @Mixin private ConfigOption config;

  @Parameters(index = "0", paramLabel = "NAME", description = "The recorder.")
  private String name;

  /** What is done with them. */
  @FunctionalInterface
  interface RequestsWork {
    int at(RequestDesk desk) throws CommandFailure;
  }

  /** Opens the database for {@code work}; gives its exit code. */
  int with(RequestsWork work) throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load();
    RecorderSection section = CommandResources.section(loaded, name);
    if (ConfiguredMachine.kind(section) != RecorderKind.REQUESTS) {
      throw CommandFailure.usage("recorder '" + name + "' has kind = log, not kind = requests");
    }
    RecorderName recorder = new RecorderName(name);
    try (CommandResources site = CommandResources.open(loaded)) {
      if (site.database().recorder(recorder).isEmpty()) {
        throw CommandFailure.tryLater("no machine has run recorder '" + name + "' yet");
      }
      return work.at(site.database().requests(recorder));
    }
  }

  /** A request, which must be there. */
  RequestRow find(RequestDesk desk, long id) throws CommandFailure {
    return desk.find(id)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "recorder %s has no request %s; perhaps it was cleared away (history)"
                        .formatted(name, id)));
  }
}
