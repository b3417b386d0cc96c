package dev.recorder.app.cli.requests;

import com.fasterxml.jackson.databind.util.RawValue;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.requests.postgres.RequestRow;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one request. */
@Command(
    name = "show",
    description = "Show one request and its payload.",
    mixinStandardHelpOptions = true)
final class RequestsShowCommand extends PrintingCommand {
  @Mixin private RequestsOption requests;
  @Mixin private OutputOption output;

  @Parameters(
      index = "1",
      paramLabel = "ID",
      converter = WholeNumber.class,
      description = "The request's id.")
  private long id;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    return requests.with(
        admin -> {
          RequestRow row = requests.find(admin, id);
          print(
              row, row.status().isSettled() ? Optional.empty() : admin.entityHolder(row.entity()));
          return ExitCode.OK;
        });
  }

  /** Removes line breaks: in JSON they are always between tokens, never inside a string. */
  private static String inOneLine(String payload) {
    return payload.replace('\r', ' ').replace('\n', ' ');
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "-" : EscapedText.of(value.toString());
  }

  private void print(RequestRow row, Optional<String> holder) {
    PrintWriter out = out();
    JsonObject json = RequestsListCommand.table().json(row);
    holder.ifPresent(stranger -> json.put("entity_held_by", stranger));
    String payload = row.payload();
    if (output.isJson()) {
      json.put("payload", payload == null ? null : new RawValue(inOneLine(payload)));
      OutputOption.printJson(out, json);
      return;
    }
    json.forEach((name, value) -> out.printf("%-15s %s%n", name, shown(value)));
    out.printf("%-15s %s%n", "payload", payload == null ? "-" : EscapedText.lines(payload));
  }
}
