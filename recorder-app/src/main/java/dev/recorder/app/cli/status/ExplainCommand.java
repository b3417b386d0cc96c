package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Explanation;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.Takeover;
import dev.recorder.postgres.holders.LockHolder;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says from the database alone why a host is recording, or why not. */
@Command(mixinStandardHelpOptions = true)
public final class ExplainCommand extends PrintingCommand {
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Option(names = "--host", paramLabel = "HOST", description = "Another host than this one.")
  private @Nullable String host;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded =
        config.load(host == null ? RequiredSections.DATABASE_AND_HOST : RequiredSections.DATABASE);
    try (CommandResources site = CommandResources.open(loaded)) {
      Diagnosis diagnosis =
          site.diagnosis(loaded.timing().takeoverAfter(), StatusCommand.MOST_COUNTED);
      Facts facts = diagnosis.facts();
      RecorderFacts recorder = recorder(facts, loaded);
      Optional<LockHolder> lock =
          recorder.isRegistered()
              ? site.database().lockHolder(recorder.lockId())
              : Optional.empty();
      Explanation explanation =
          Explanation.of(diagnosis, recorder, host == null ? loaded.machine().name() : host, lock);
      for (Takeover last :
          site.database().takeovers(Optional.of(new RecorderName(recorder.name())), 1)) {
        explanation = explanation.with(last, facts);
      }
      if (output.isJson()) {
        OutputOption.printJson(out(), json(explanation));
      } else {
        print(out(), explanation);
      }
    }
    return ExitCode.OK;
  }

  private RecorderFacts recorder(Facts facts, RecorderConfig loaded) throws CommandFailure {
    Optional<RecorderFacts> found =
        Stream.concat(facts.recorders().stream(), facts.unregistered().stream())
            .filter(recorder -> recorder.name().equals(name))
            .findFirst();
    if (found.isEmpty()) {
      RecorderSection section = CommandResources.section(loaded, name);
      throw CommandFailure.tryLater(
          "no host has run recorder '%s' yet in this database".formatted(section.name()));
    }
    return found.get();
  }

  private static void print(PrintWriter out, Explanation explanation) {
    out.println(EscapedText.of(explanation.verdict()));
    explanation.evidence().forEach(line -> out.println("  " + EscapedText.of(line)));
    explanation.change().forEach(line -> out.println("-> " + EscapedText.of(line)));
  }

  private static JsonObject json(Explanation explanation) {
    return new JsonObject()
        .with("verdict", explanation.verdict())
        .with("evidence", explanation.evidence())
        .with("change", explanation.change());
  }
}
