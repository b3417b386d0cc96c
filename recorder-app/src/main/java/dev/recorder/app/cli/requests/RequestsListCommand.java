package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.postgres.RequestRow;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Lists requests by entity and status. */
@Command(
    name = "list",
    description = "Show requests, the latest first.",
    mixinStandardHelpOptions = true)
final class RequestsListCommand extends PrintingCommand {
  private static final int MOST = 1_000_000;

  @Mixin private RequestsOption requests;
  @Mixin private OutputOption output;

  @Option(names = "--entity", paramLabel = "ENTITY", description = "Only this entity.")
  private @Nullable String entity;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only this status: new (including requests in progress), complete or error.")
  private @Nullable String status;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    if (limit < 1 || limit > MOST) {
      throw misuse("--limit must be from 1 to " + MOST);
    }
    RequestStatus wanted = status();
    return requests.withMany(
        admin -> {
          output.print(admin.list(entity, wanted, limit), table());
          return ExitCode.OK;
        });
  }

  private @Nullable RequestStatus status() {
    String word = status;
    if (word == null) {
      return null;
    }
    try {
      RequestStatus wanted = RequestStatus.of(word);
      if (wanted != RequestStatus.IN_PROGRESS) {
        return wanted;
      }
    } catch (IllegalArgumentException unknown) {
      throw wrongStatus(word, "");
    }
    throw wrongStatus(word, ": a request that is being worked on is new until it is settled");
  }

  private ParameterException wrongStatus(String word, String why) {
    return misuse("--status must be new, complete or error, not '" + word + "'" + why);
  }

  static ListColumns<RequestRow> table() {
    return new ListColumns<RequestRow>()
        .number("ID", "id", RequestRow::id)
        .member("request_status", row -> row.status().word())
        .text("TYPE", "request_type", row -> row.type().word())
        .text("STATUS", row -> row.status().word())
        .member("process_id", RequestRow::process)
        .text("ENTITY", "entity_id", RequestRow::entity)
        .number("ATTEMPTS", "attempts", RequestRow::attempts)
        .member("deaths", RequestRow::lostAttempts)
        .member("begun_by", RequestRow::begunBy)
        .member("error_text", RequestRow::error)
        .member("not_before", RequestRow::notBefore)
        .text("CREATED", "created_at", RequestRow::createdAt)
        .text("SETTLED", "settled_at", RequestRow::settledAt)
        .text("ERROR", RequestRow::error);
  }
}
