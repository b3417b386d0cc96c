package dev.recorder.lock.postgres.tasks;

import static dev.recorder.testing.Patience.await;

import dev.recorder.lock.Instruments;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.LeavingInterrupts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TaskTimeoutsTest {
  /** As a pool may: tasks would never time out again. */
  @Test
  void anInterruptThatASourceLeavesDoesNotEndThem() {
    AtomicInteger asked = new AtomicInteger();
    Sessions sessions = Sessions.of(LeavingInterrupts.source(asked::incrementAndGet), "w");
    Duration minute = Duration.ofMinutes(1);
    try (TaskQueue queue = new TaskQueue(sessions, "mail", minute, Instruments.PLAIN);
        TaskTimeouts timeouts = TaskTimeouts.start(queue, Duration.ofMillis(5))) {
      await().until(() -> asked.get() > 3);
    }
  }
}
