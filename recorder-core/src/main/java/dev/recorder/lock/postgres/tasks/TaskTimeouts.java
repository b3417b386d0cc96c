package dev.recorder.lock.postgres.tasks;

import dev.recorder.lock.LockException;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.OutageLog;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically sets tasks whose time is over to {@code timed_out}, until it is closed. It uses one
 * thread and the session of the given queue; any number of processes may do so at once.
 */
public final class TaskTimeouts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TaskTimeouts.class);
  private static final NamedThreadFactory THREADS = new NamedThreadFactory("task-timeouts");

  /** The longest wait before the first round; a starting recorder creates the tables meanwhile. */
  private static final Duration FIRST = Duration.ofSeconds(5);

  private final TaskQueue queue;
  private final Duration interval;
  private final OutageLog outage = new OutageLog(log, "the database of tasks");
  private final Thread thread = THREADS.newThread(this::run);
  private volatile boolean closed;

  private TaskTimeouts(TaskQueue queue, Duration interval) {
    this.queue = queue;
    this.interval = interval;
  }

  /**
   * Starts the rounds: the first after the interval, five seconds at most, and then at the
   * interval.
   *
   * @param queue whose session is used; tasks of all queues time out
   * @param interval how long a task may stay in progress beyond its time, besides the duration of a
   *     statement
   */
  public static TaskTimeouts start(TaskQueue queue, Duration interval) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("interval " + interval + " is not positive");
    }
    TaskTimeouts timeouts = new TaskTimeouts(queue, interval);
    timeouts.thread.start();
    return timeouts;
  }

  private void run() {
    pause(interval.compareTo(FIRST) < 0 ? interval : FIRST);
    while (!closed) {
      look();
      pause(interval);
    }
  }

  private void pause(Duration pause) {
    var unused = Thread.interrupted(); // A connection source may have left it, or close() set it.
    if (!closed) {
      try {
        Pause.sleep(pause);
      } catch (InterruptedException shorter) {
        // After close() the thread ends now.
      }
    }
  }

  private void look() {
    try {
      int all = 0;
      int some;
      do {
        some = queue.expire();
        all += some;
      } while (some == TaskQueue.MOST && !closed);
      outage.up();
      if (all > 0) {
        log.info(
            LogEvent.TASKS_TIMED_OUT,
            "tasks timed out, whose owners died or took too long: {}",
            all);
      }
    } catch (LockException e) {
      if (!closed) {
        outage.down(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Ends the thread, within the time-out of a statement. The queue stays open. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
