package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.operate.site.MachineStatus;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The options that name a host. */
final class HostOption {
  /** The age up to which a heartbeat counts as alive. Generous, since hosts may be busy. */
  static final Duration FRESH = Duration.ofSeconds(3);

  @Mixin private ConfigOption config;

  @Parameters(
      index = "0",
      paramLabel = "HOST",
      description = "The host, as 'recorder status' names it.")
  private String host;

  String name() {
    return host;
  }

  /**
   * Connects to the database, with a limit for each answer. Fails if the database does not know the
   * host.
   */
  CommandResources open(Duration patience) throws ConfigException, CommandFailure {
    return CommandResources.open(config.load(RequiredSections.DATABASE), patience)
        .checked(this::requireKnown);
  }

  private void requireKnown(CommandResources site) throws CommandFailure {
    List<String> names = site.database().machines(FRESH).stream().map(MachineStatus::name).toList();
    if (!names.contains(host)) {
      throw CommandFailure.usage(
          "no host '%s' has ever run here%s"
              .formatted(
                  host,
                  names.isEmpty()
                      ? ", nor has any other yet"
                      : "; there are: " + String.join(", ", names)));
    }
  }
}
