package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.value.DurationText;
import dev.recorder.lock.postgres.tasks.Task;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Captures tasks for a script. */
@Command(
    name = "capture",
    description = {
      "Move tasks to in_progress, the longest waiting first, and print them.",
      "Set their status with 'tasks set', with the owner and token printed here.",
      "First, tasks whose owner's time is over are set to timed_out.",
      "Exit code 75 if there is no task."
    },
    mixinStandardHelpOptions = true)
final class TasksCaptureCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  @Mixin private TasksOption tasks;
  @Mixin private OutputOption output;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1",
      description = "At most this many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--from",
      paramLabel = "STATUS",
      split = ",",
      defaultValue = "new,failed",
      description = "Only these statuses: new, done, failed, timed_out (default: new,failed).")
  private List<String> from = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5m",
      description = "How long the owner has, such as 90s or 2h (default: ${DEFAULT-VALUE}).")
  private String timeout = "5m";

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    int most = TasksOption.limit(limit);
    Set<TaskStatus> statuses = statuses();
    return tasks.with(
        List.of(),
        timeout(),
        queue -> {
          while (queue.expire() == TaskQueue.MOST) {
            // There may be more.
          }
          List<Task> captured = queue.capture(most, statuses);
          output.print(captured, table());
          return captured.isEmpty() ? ExitCode.TRY_LATER : ExitCode.OK;
        });
  }

  private Set<TaskStatus> statuses() throws CommandFailure {
    Set<TaskStatus> statuses = EnumSet.noneOf(TaskStatus.class);
    for (String word : from) {
      statuses.add(TasksOption.status(word));
    }
    if (statuses.isEmpty() || statuses.contains(TaskStatus.IN_PROGRESS)) {
      throw CommandFailure.usage("--from takes new, done, failed and timed_out");
    }
    return statuses;
  }

  private Duration timeout() throws CommandFailure {
    Duration parsed;
    try {
      parsed = DurationText.parse(timeout);
    } catch (IllegalArgumentException bad) {
      throw CommandFailure.usage("--timeout: " + bad.getMessage());
    }
    if (parsed.compareTo(Duration.ofMillis(1)) < 0 || parsed.compareTo(LONGEST) > 0) {
      throw CommandFailure.usage("--timeout must be from 1ms to " + LONGEST.toDays() + "d");
    }
    return parsed;
  }

  private static ListColumns<Task> table() {
    return new ListColumns<Task>()
        .member("queue_id", Task::queue)
        .text("ID", "id", Task::id)
        .text("WAS", task -> task.was().word())
        .number("TOKEN", Task::token)
        .text("OWNER", "owner", Task::owner)
        .member("token", Task::token)
        .member("was", task -> task.was().word())
        .number("RETRIES LEFT", "retries_left", Task::retriesLeft);
  }
}
