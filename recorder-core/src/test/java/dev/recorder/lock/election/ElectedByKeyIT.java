package dev.recorder.lock.election;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockListener;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A worker that a key of Redis elects, when the key is not there any more. */
class ElectedByKeyIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** So long that nobody who waits for it is seen to work. */
  private static final Duration RETRY = Duration.ofHours(1);

  private final AtomicLong ahead = new AtomicLong();
  private final Work work = new Work();
  @AutoClose private final RedisServer server = RedisServer.start();

  /** Remembers what it was granted, besides. */
  private static final class Work extends ToldWork {
    private final List<Long> tokens = new CopyOnWriteArrayList<>();
    private volatile Lease lease;

    @Override
    public CompletionStage<?> start(Lease granted) {
      CompletionStage<?> work = super.start(granted);
      lease = granted;
      tokens.add(granted.token());
      return work;
    }
  }

  private RedisLocks locks(Duration expiry) {
    Instruments instruments =
        new Instruments(() -> System.nanoTime() + ahead.get(), LockListener.NONE);
    return new RedisLocks(
        RedisSettings.of("127.0.0.1", server.port()).timeout(Duration.ofMillis(500)).build(),
        "one",
        RedisLockOptions.DEFAULT.withExpiry(expiry),
        instruments);
  }

  private void delete() {
    server.ask("DEL", "recorder:lock:{feed}");
  }

  @Test
  void aKeyThatIsGoneIsHadAgainBeforeTheTermIsGivenUp() {
    try (RedisLocks locks = locks(Duration.ofSeconds(10));
        ElectedWorker worker =
            new ElectedWorker("one", locks.lock("feed"), RETRY, work, Ticker.system())) {
      worker.start();
      await().atMost(SOON).until(() -> !work.tokens.isEmpty());

      delete();

      await().atMost(SOON).until(() -> work.lease.token() > work.tokens.get(0));
      assertThat(worker.state()).isInstanceOf(WorkerState.Working.class);
      assertThat(work.calls).containsExactly("start");
    }
  }

  @Test
  void whoWasFrozenForLongerThanItsKeyLivedHasItAgainAtOnceForANewTerm() {
    try (RedisLocks locks = locks(Duration.ofMinutes(10));
        ElectedWorker worker =
            new ElectedWorker("one", locks.lock("feed"), RETRY, work, Ticker.system())) {
      worker.start();
      await().atMost(SOON).until(() -> !work.tokens.isEmpty());

      delete(); // As if it had expired: the time of the server cannot be moved.
      ahead.set(Duration.ofMinutes(11).toNanos());

      await().atMost(SOON).until(() -> work.tokens.size() == 2);
      assertThat(work.calls).containsExactly("start", "halt", "start");
      assertThat(work.tokens.get(1)).isGreaterThan(work.tokens.get(0));
    }
  }
}
