package dev.recorder.requests.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs what is due when a test says that time has passed, on the test's thread. */
final class HandDrivenTimer extends ScheduledThreadPoolExecutor {
  private final List<Task> tasks = new ArrayList<>();
  private long now;

  HandDrivenTimer() {
    super(0);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Task task = new Task(command, now + unit.toNanos(delay));
    tasks.add(task);
    return task;
  }

  void advance(Duration time) {
    now += time.toNanos();
    Deque<Task> due = new ArrayDeque<>(due());
    while (!due.isEmpty()) {
      tasks.remove(due.peek());
      due.remove().run();
      due = new ArrayDeque<>(due());
    }
  }

  private List<Task> due() {
    return tasks.stream()
        .filter(task -> task.at <= now)
        .sorted(Comparator.comparing(task -> task.at))
        .toList();
  }

  private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final long at;

    Task(Runnable command, long at) {
      super(command, null);
      this.at = at;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }
}
