package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.Table;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.site.Takeover;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the receipts of who took over from whom, and why. */
@Command(
    name = "takeovers",
    description = "Show who took over from whom, when and why, the latest first.",
    mixinStandardHelpOptions = true)
public final class TakeoversCommand implements Callable<Integer> {
  private static final int MOST = 1_000_000;

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Only this recorder.")
  private @Nullable String name;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Show at most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(spec.commandLine(), "--limit must be from 1 to " + MOST);
    }
    try (CommandResources site = CommandResources.open(config.load(NeededSections.DATABASE))) {
      List<Takeover> takeovers = site.database().takeovers(recorder(site), limit);
      output.print(takeovers, table(), TakeoversCommand::json);
    }
    return ExitCode.OK;
  }

  /** One of the file's, or one that is in the database although it is no longer in the file. */
  private Optional<RecorderName> recorder(CommandResources site) throws CommandFailure {
    String wanted = name;
    if (wanted == null) {
      return Optional.empty();
    }
    List<String> names = site.config().recorders().stream().map(RecorderSection::name).toList();
    try {
      RecorderName recorder = new RecorderName(wanted);
      if (names.contains(wanted) || site.database().recorder(recorder).isPresent()) {
        return Optional.of(recorder);
      }
    } catch (IllegalArgumentException notAName) {
      // No recorder can be called that, so there is none.
    }
    throw CommandResources.unknown(wanted, names);
  }

  private static Table<Takeover> table() {
    return new Table<Takeover>()
        .text("AT", Takeover::at)
        .text("RECORDER", Takeover::recorder)
        .text("REASON", Takeover::reason)
        .text("FROM -> TO", t -> (t.from() == null ? "-" : t.from()) + " -> " + t.to())
        .text("EPOCHS", t -> t.fromEpoch() + " -> " + t.toEpoch())
        .number("SILENCE", t -> t.silenceMillis() + " ms")
        .number("GAP", t -> t.gapMillis() == null ? null : t.gapMillis() + " ms")
        .number("SLOT", Takeover::lastSlot)
        .text("DETAIL", Takeover::detail);
  }

  private static JsonObject json(Takeover takeover) {
    return new JsonObject()
        .with("at", takeover.at())
        .with("lock_id", takeover.lockId())
        .with("recorder", takeover.recorder())
        .with("reason", takeover.reason())
        .with("from_machine", takeover.from())
        .with("to_machine", takeover.to())
        .with("from_epoch", takeover.fromEpoch())
        .with("to_epoch", takeover.toEpoch())
        .with("silence_ms", takeover.silenceMillis())
        .with("gap_ms", takeover.gapMillis())
        .with("last_slot", takeover.lastSlot())
        .with("first_slot", takeover.firstSlot())
        .with("detail", takeover.detail());
  }
}
