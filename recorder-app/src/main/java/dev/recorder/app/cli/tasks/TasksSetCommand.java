package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.postgres.tasks.Task;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the status of a task, as its owner or as an operator. */
@Command(
    name = "set",
    description = {
      "Set the status of a task: your own with --owner and --token, to new, done or"
          + " failed; any",
      "with --force, also to timed_out.",
      "Exit code 75 if another owner has the task."
    },
    mixinStandardHelpOptions = true)
final class TasksSetCommand extends PrintingCommand {
  @Mixin private TasksOption tasks;

  @Parameters(index = "0", paramLabel = "ID", description = "The task.")
  private String id;

  @Parameters(index = "1", paramLabel = "STATUS", description = "new, done, failed or timed_out.")
  private String word;

  @Option(names = "--owner", paramLabel = "OWNER", description = "As 'tasks capture' printed it.")
  private @Nullable String owner;

  @Option(
      names = "--token",
      paramLabel = "N",
      converter = WholeNumber.class,
      description = "As 'tasks capture' printed it.")
  private @Nullable Long token;

  @Option(names = "--force", description = "Regardless of its owner.")
  private boolean force;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "With --force: how often it can be captured from now on.")
  private @Nullable Integer retries;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    TaskStatus status = TasksOption.status(word);
    String by = owner;
    Long under = token;
    if (force ? by != null || under != null : by == null || under == null || retries != null) {
      throw CommandFailure.usage("give --owner and --token, or --force and, if need be, --retries");
    }
    OptionalInt times = TasksAddCommand.retries(retries);
    checkMayBeSet(status);
    return tasks.with(
        List.of(id),
        queue -> {
          if (by == null || under == null) {
            force(queue, status, times);
          } else {
            queue.setStatus(
                new Task(tasks.queue(), id, by, under, TaskStatus.IN_PROGRESS, null), status);
          }
          out().println(EscapedText.of("task " + id + " is " + status.word()));
          return ExitCode.OK;
        });
  }

  private void checkMayBeSet(TaskStatus status) throws CommandFailure {
    if (status == TaskStatus.IN_PROGRESS) {
      throw CommandFailure.usage("only 'tasks capture' sets a task to in_progress");
    } else if (status == TaskStatus.TIMED_OUT && !force) {
      throw CommandFailure.usage("who has a task sets it to new, done or failed");
    }
  }

  private void force(TaskQueue queue, TaskStatus status, OptionalInt times) throws CommandFailure {
    if (!queue.force(id, status, times)) {
      throw CommandFailure.usage("queue " + tasks.queue() + " has no task '" + id + "'");
    }
  }
}
