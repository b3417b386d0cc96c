package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.site.Takeover;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the takeovers of all recorders, or of one. */
@Command(mixinStandardHelpOptions = true)
public final class TakeoversCommand extends PrintingCommand {
  private static final int MOST = 1_000_000;

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
      throw misuse("--limit must be from 1 to " + MOST);
    }
    try (CommandResources site = CommandResources.open(config.load(RequiredSections.DATABASE))) {
      output.print(site.database().takeovers(recorder(site), limit), table());
    }
    return ExitCode.OK;
  }

  /** Returns the recorder of the option. It must be in the file or in the database. */
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
      // The text cannot be a recorder's name, so there is no such recorder.
    }
    throw CommandResources.unknown(wanted, names);
  }

  private static ListColumns<Takeover> table() {
    return new ListColumns<Takeover>()
        .text("AT", "at", Takeover::at)
        .member("lock_id", Takeover::lockId)
        .text("RECORDER", "recorder", Takeover::recorder)
        .text("REASON", "reason", Takeover::reason)
        .text("FROM -> TO", t -> (t.from() == null ? "-" : t.from()) + " -> " + t.to())
        .member("from_machine", Takeover::from)
        .member("to_machine", Takeover::to)
        .text("EPOCHS", t -> t.fromEpoch() + " -> " + t.toEpoch())
        .member("from_epoch", Takeover::fromEpoch)
        .member("to_epoch", Takeover::toEpoch)
        .number("SILENCE", t -> t.silenceMillis() + " ms")
        .member("silence_ms", Takeover::silenceMillis)
        .number("GAP", t -> t.gapMillis() == null ? null : t.gapMillis() + " ms")
        .member("gap_ms", Takeover::gapMillis)
        .number("SLOT", "last_slot", Takeover::lastSlot)
        .member("first_slot", Takeover::firstSlot)
        .text("DETAIL", "detail", Takeover::detail);
  }
}
