package dev.recorder.app.cli.command;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The options that name a recorder and the configuration file. */
public final class RecorderOption {
  @Mixin private ConfigOption config;

  @Parameters(index = "0", paramLabel = "NAME", description = "The recorder.")
  private String name;

  public String name() {
    return name;
  }

  /** A configuration, and the recorder's section in it. */
  public record SelectedRecorder(RecorderConfig config, RecorderSection section) {
    public String name() {
      return section.name();
    }

    public RecorderName recorder() {
      return new RecorderName(section.name());
    }

    public CommandResources open() throws CommandFailure {
      return CommandResources.open(config);
    }

    /** Connects to the database. Fails if no host has run the recorder yet. */
    public CommandResources openAfterRun() throws CommandFailure {
      return open().checked(this::requireRun);
    }

    /** Connects like {@link #openAfterRun()}, with a limit for each answer. */
    public CommandResources openAfterRun(Duration patience) throws CommandFailure {
      return CommandResources.open(config, patience).checked(this::requireRun);
    }

    /**
     * Connects like {@link #openAfterRun()}, without a limit for answers, for statements on so many
     * rows that they may take minutes.
     */
    public CommandResources openForMuch() throws CommandFailure {
      return CommandResources.openForMuch(config).checked(this::requireRun);
    }

    private void requireRun(CommandResources site) throws CommandFailure {
      if (site.database().recorder(recorder()).isEmpty()) {
        throw CommandFailure.tryLater("no host has run recorder '" + name() + "' yet");
      }
    }
  }

  /** Reads the file. Fails if the file lacks the recorder's section. */
  public SelectedRecorder load() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load(RequiredSections.ofRecorders(List.of(name)));
    return new SelectedRecorder(loaded, CommandResources.section(loaded, name));
  }
}
