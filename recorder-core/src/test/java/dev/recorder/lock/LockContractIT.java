package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.LockContract.Shared;
import dev.recorder.lock.LockKind.Client;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract, on every kind, side by side: mostly they wait. */
class LockContractIT {
  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class Advisory extends LockContract {
    Advisory() {
      super(LockKind.ADVISORY);
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class Mutex extends LockContract {
    Mutex() {
      super(LockKind.MUTEX);
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class Task extends LockContract {
    Task() {
      super(LockKind.TASK);
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class Redis extends LockContract {
    Redis() {
      super(LockKind.REDIS);
    }
  }

  /** A lock that nobody holds: it is had once in each period, from however many processes. */
  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class Timeout {
    @Test
    void processesHaveItOnceInAPeriod() throws Exception {
      int processes = 3;
      int rounds = 5;
      LockContract.contend(LockKind.TIMEOUT, "periods", processes, rounds);
      assertThat(LockContract.noted("entries", "periods")).isEqualTo((long) processes * rounds);
      assertThat(LockContract.noted("1000 * extract(epoch FROM last_entry - begun)", "periods"))
          .as("who has it may come late, but all turns take all periods")
          .isGreaterThanOrEqualTo(99 * LockKind.PERIOD.toMillis() * (processes * rounds - 1) / 100);
    }

    @Test
    void racesBetweenItsTurnAndATimeoutLoseNoTurn() throws Exception {
      try (Client one = LockKind.TIMEOUT.open(Shared.servers(), "one", Instruments.PLAIN);
          Client other = LockKind.TIMEOUT.open(Shared.servers(), "other", Instruments.PLAIN)) {
        LockContract.races(one.lock("raced"), other.lock("raced"));
        assertThat(one.lock("raced").tryAcquire(LockKind.PERIOD.multipliedBy(300))).isPresent();
      }
    }
  }
}
