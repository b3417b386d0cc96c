package dev.recorder.app.cli.command;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which recorder, of which file, a command is about. */
public final class RecorderOption {
  @Mixin private ConfigOption config;

  @Parameters(index = "0", paramLabel = "NAME", description = "The recorder.")
  private String name;

  /** As it was given. */
  public String name() {
    return name;
  }

  /** A file, and the recorder's section in it. */
  public record Chosen(RecorderConfig config, RecorderSection section) {
    public String name() {
      return section.name();
    }

    public RecorderName recorder() {
      return new RecorderName(section.name());
    }

    /** Connects with the file's database, for what is done to a recorder that a machine has run. */
    public CommandResources openAfterRun() throws CommandFailure {
      return CommandResources.open(config).checked(this::requireRun);
    }

    /** The same for who has only so much patience. */
    public CommandResources openAfterRun(Duration patience) throws CommandFailure {
      return CommandResources.open(config, patience).checked(this::requireRun);
    }

    /** The same for what is asked so much at a time that the answer may take minutes. */
    public CommandResources openForMuch() throws CommandFailure {
      return CommandResources.openForMuch(config).checked(this::requireRun);
    }

    private void requireRun(CommandResources site) throws CommandFailure {
      if (site.database().recorder(recorder()).isEmpty()) {
        throw CommandFailure.tryLater("no host has run recorder '" + name() + "' yet");
      }
    }
  }

  /** Reads the file, which must have the recorder. */
  public Chosen load() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    return new Chosen(loaded, CommandResources.section(loaded, name));
  }
}
