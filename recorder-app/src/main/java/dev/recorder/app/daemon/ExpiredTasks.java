package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskTimeouts;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Times out tasks whose owners died or took too long, if the file has {@code task_timeouts}. Uses
 * its own session and thread, so that it does not delay recorders.
 */
final class ExpiredTasks implements AutoCloseable {
  private final TaskQueue queue;
  private final TaskTimeouts timeouts;

  private ExpiredTasks(TaskQueue queue, TaskTimeouts timeouts) {
    this.queue = queue;
    this.timeouts = timeouts;
  }

  /** Starts to time out tasks; returns null if the file has no {@code task_timeouts}. */
  static @Nullable ExpiredTasks watched(RecorderConfig config) {
    Duration interval = config.machine().orNull(MachineConfig.TASK_TIMEOUTS);
    if (interval == null) {
      return null;
    }
    Sessions sessions = new Sessions(ConfiguredMachine.database(config), config.machine().name());
    // The tasks of all queues time out. No task is captured from this queue.
    TaskQueue queue = new TaskQueue(sessions, "default", interval, Instruments.PLAIN);
    return new ExpiredTasks(queue, TaskTimeouts.start(queue, interval));
  }

  @Override
  public void close() {
    timeouts.close();
    queue.close();
  }
}
