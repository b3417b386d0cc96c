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
 * Has tasks time out whose owners died or took too long, if the file says so: on a session and a
 * thread of its own, so that recorders do not notice.
 */
final class ExpiredTasks implements AutoCloseable {
  private final TaskQueue queue;
  private final TaskTimeouts timeouts;

  private ExpiredTasks(TaskQueue queue, TaskTimeouts timeouts) {
    this.queue = queue;
    this.timeouts = timeouts;
  }

  /** Looks for them from now on; null if nobody wants that. */
  static @Nullable ExpiredTasks watched(RecorderConfig config) {
    Duration interval = config.machine().orNull(MachineConfig.TASK_TIMEOUTS);
    if (interval == null) {
      return null;
    }
    Sessions sessions = new Sessions(ConfiguredMachine.database(config), config.machine().name());
    // Tasks of all queues time out; of this one none is captured.
    TaskQueue queue = new TaskQueue(sessions, "default", interval, Instruments.PLAIN);
    return new ExpiredTasks(queue, TaskTimeouts.start(queue, interval));
  }

  @Override
  public void close() {
    timeouts.close();
    queue.close();
  }
}
