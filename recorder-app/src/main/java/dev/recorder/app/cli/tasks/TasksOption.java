package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.lock.LockAddress;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import java.util.Collection;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name a queue of tasks. */
final class TasksOption {
  /** For commands that do not capture tasks, to which the value does not matter. */
  private static final Duration ANY_TIMEOUT = Duration.ofMinutes(1);

  @Mixin private ConfigOption config;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      defaultValue = "default",
      description = "The queue (default: ${DEFAULT-VALUE}).")
  private String queue = "default";

  @FunctionalInterface
  interface TaskWork {
    int at(TaskQueue tasks) throws CommandFailure;
  }

  /** Opens the queue, does {@code work} on these ids and returns its exit code. */
  int with(Collection<String> ids, TaskWork work) throws ConfigException, CommandFailure {
    return with(ids, ANY_TIMEOUT, work);
  }

  /**
   * Opens the queue, does {@code work} on these ids and returns its exit code.
   *
   * @param timeout how long the owner of a captured task may take
   */
  int with(Collection<String> ids, Duration timeout, TaskWork work)
      throws ConfigException, CommandFailure {
    LockConfig loaded = config.loadForLocks(RequiredSections.DATABASE);
    if (loaded.database() == null) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION,
          config.path() + ":1: section [postgredb] is missing; tasks are rows of its tables");
    }
    try {
      ids.forEach(id -> TaskQueue.checkName(queue, id));
    } catch (LockException bad) {
      throw CommandFailure.usage(String.valueOf(bad.getMessage()));
    }
    Sessions sessions = LockAddress.sessions(loaded);
    try (TaskQueue tasks = new TaskQueue(sessions, queue, timeout, Instruments.PLAIN)) {
      return work.at(tasks);
    } catch (LockException e) {
      String what = e.lock().equals(queue) ? "tasks of queue " : "task ";
      throw new CommandFailure(ExitCode.of(e), what + e.lock() + ": " + e.problem());
    }
  }

  String queue() {
    return queue;
  }

  static TaskStatus status(String word) throws CommandFailure {
    try {
      return TaskStatus.of(word);
    } catch (IllegalArgumentException unknown) {
      throw CommandFailure.usage(String.valueOf(unknown.getMessage()));
    }
  }

  static int limit(int limit) throws CommandFailure {
    if (limit < 1 || limit > TaskQueue.MOST) {
      throw CommandFailure.usage("--limit must be from 1 to " + TaskQueue.MOST);
    }
    return limit;
  }
}
