package dev.recorder.app.cli.requests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.config.ConfigException;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.postgres.RequestAdmin;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Inserts a request. */
@Command(
    name = "add",
    description = "Hand over one request, and print its id.",
    mixinStandardHelpOptions = true)
final class RequestsAddCommand extends PrintingCommand {
  /** Accepts a payload of any length, since the table limits its size. */
  private static final ObjectMapper JSON =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(Integer.MAX_VALUE)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  @Mixin private RequestsOption requests;

  @Parameters(index = "1", paramLabel = "ENTITY", description = "The entity's id.")
  private String entity;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "create",
      description = "create (default) or update.")
  private RequestType type = RequestType.CREATE;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      description = "For an update, the members to change: a JSON Merge Patch.")
  private @Nullable String payload;

  @Option(names = "--file", paramLabel = "FILE", description = "A file with the payload.")
  private @Nullable Path file;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    String json = json();
    return requests.with(
        admin -> {
          out().println(add(admin, json));
          return ExitCode.OK;
        });
  }

  private long add(RequestAdmin admin, @Nullable String json) throws CommandFailure {
    try {
      return admin.add(type, entity, json);
    } catch (RequestAdmin.RefusedException refused) {
      throw new CommandFailure(
          refused.isCreatedBefore() ? ExitCode.FAULTS : ExitCode.USAGE,
          String.valueOf(refused.getMessage()));
    }
  }

  private @Nullable String json() throws CommandFailure {
    Path from = file;
    if (from != null && payload != null) {
      throw CommandFailure.usage("give --payload or --file, not both");
    }
    String text = from == null ? payload : read(from);
    if (text != null) {
      try {
        if (JSON.readTree(text).isMissingNode()) {
          throw CommandFailure.usage("the payload is not JSON: there is nothing in it");
        }
      } catch (JsonProcessingException bad) {
        throw CommandFailure.usage("the payload is not JSON: " + bad.getOriginalMessage());
      }
    }
    return text;
  }

  private static String read(Path from) throws CommandFailure {
    try {
      return Files.readString(from, StandardCharsets.UTF_8);
    } catch (CharacterCodingException bad) {
      throw CommandFailure.usage(from + " is not text in UTF-8");
    } catch (IOException e) {
      throw CommandFailure.usage("cannot read " + from + ": " + e.getMessage());
    }
  }
}
