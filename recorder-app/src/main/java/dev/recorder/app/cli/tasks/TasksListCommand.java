package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.postgres.tasks.TaskRow;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists tasks with their owners. */
@Command(
    name = "list",
    description = "Show tasks of a queue, by id.",
    mixinStandardHelpOptions = true)
final class TasksListCommand implements Callable<Integer> {
  @Mixin private TasksOption tasks;
  @Mixin private OutputOption output;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only this status: new, in_progress, done, failed or timed_out.")
  private @Nullable String word;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    int most = TasksOption.limit(limit);
    String given = word;
    TaskStatus status = given == null ? null : TasksOption.status(given);
    return tasks.with(
        List.of(),
        queue -> {
          output.print(queue.list(status, most), table());
          return ExitCode.OK;
        });
  }

  private static ListColumns<TaskRow> table() {
    return new ListColumns<TaskRow>()
        .member("queue_id", TaskRow::queue)
        .text("ID", "id", TaskRow::id)
        .text("STATUS", "status", row -> row.status().word())
        .number("RETRIES LEFT", "retries_left", TaskRow::retriesLeft)
        .text("SET", TaskRow::setAt)
        .text("DEADLINE", TaskRow::deadline)
        .text("OWNER", "owner", TaskRow::owner)
        .member("token", TaskRow::token)
        .member("added_at", TaskRow::addedAt)
        .member("set_at", TaskRow::setAt)
        .member("captured_at", TaskRow::capturedAt)
        .member("deadline", TaskRow::deadline);
  }
}
