package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Raises a log's floor. It deletes nothing: the recorder never does; afterwards a lifecycle rule,
 * or whoever owns the bucket, may delete the objects below.
 */
@Command(
    name = "expire",
    description = {
      "Say that a log's slots below a number are no longer needed.",
      "Readers and verify then begin there. Deletes nothing; objects below may be deleted after it."
    },
    mixinStandardHelpOptions = true)
final class ExpireCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(
      names = "--below",
      paramLabel = "SLOT",
      required = true,
      converter = WholeNumber.class,
      description = "The first slot that is still needed; at most the last settled one.")
  private long below;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load(NeededSections.ofRecorders(List.of(name)));
    CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      long floor = site.database().raiseFloor(new RecorderName(name), below);
      if (floor < below) {
        throw CommandFailure.usage(
            "the log of %s begins with slot %s, and --below must not lie behind its last settled slot: takeovers look at that"
                .formatted(name, floor));
      }
      spec.commandLine().getOut().println("the log of " + name + " begins with slot " + floor);
    }
    return ExitCode.OK;
  }
}
