package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.postgres.TaskRow;
import dev.recorder.lock.postgres.TaskStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Who has which task, and what became of it. */
@Command(
    name = "list",
    description = "Show tasks of a queue, by id.",
    mixinStandardHelpOptions = true)
final class TasksListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private TasksOption tasks;
  @Mixin private OutputOption output;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Of this status only: new, in_progress, done, failed or timed_out.")
  private @Nullable String word;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    int most = TasksOption.limit(limit);
    String given = word;
    TaskStatus status = given == null ? null : TasksOption.status(given);
    return tasks.with(
        queue -> {
          print(queue.list(status, most));
          return ExitCode.OK;
        });
  }

  private void print(List<TaskRow> rows) {
    if (output.isJson()) {
      OutputOption.printJson(
          spec.commandLine().getOut(), rows.stream().map(TasksListCommand::json).toList());
      return;
    }
    spec.commandLine()
        .getOut()
        .println(
            new Table<TaskRow>()
                .text("ID", TaskRow::id)
                .text("STATUS", row -> row.status().word())
                .number("RETRIES LEFT", TaskRow::retriesLeft)
                .text("SET", TaskRow::setAt)
                .text("DEADLINE", TaskRow::deadline)
                .text("OWNER", TaskRow::owner)
                .of(rows));
  }

  private static Map<String, @Nullable Object> json(TaskRow row) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("queue_id", row.queue());
    json.put("id", row.id());
    json.put("status", row.status().word());
    json.put("retries_left", row.retriesLeft());
    json.put("owner", row.owner());
    json.put("token", row.token());
    json.put("added_at", text(row.addedAt()));
    json.put("set_at", text(row.setAt()));
    json.put("captured_at", text(row.capturedAt()));
    json.put("deadline", text(row.deadline()));
    return json;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }
}
