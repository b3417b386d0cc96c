package dev.recorder.app.bench.locks;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.MutexLocks;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The product's kinds of lock. */
final class Ours {
  private static final String LOCK = "row-0";

  private Ours() {}

  static Contestant advisory(LockServers servers) {
    return new Opener(
        "advisory",
        opener ->
            cycles(
                opener
                    .keep(new AdvisoryLocks(servers.sessions(opener.worker()), Instruments.PLAIN))
                    .lock(LOCK)));
  }

  static Contestant mutex(LockServers servers) {
    return new Opener(
        "mutex",
        opener ->
            cycles(
                opener
                    .keep(new MutexLocks(servers.sessions(opener.worker()), Instruments.PLAIN))
                    .lock(LOCK)));
  }

  /** By turns, so that each is due again when its turn comes. */
  static Contestant timeout(LockServers servers) {
    return new Opener(
        "timeout",
        opener -> {
          TimeoutLocks locks =
              opener.keep(new TimeoutLocks(servers.sessions(opener.worker()), Instruments.PLAIN));
          List<? extends DistributedLock> all =
              Raw.ROWS.stream().map(id -> locks.lock(id, Duration.ofMillis(1))).toList();
          AtomicInteger turn = new AtomicInteger();
          return () -> all.get(turn.getAndIncrement() % all.size()).acquire().close();
        });
  }

  static Contestant redis(LockServers servers) {
    return new Opener(
        "redis",
        opener ->
            cycles(
                opener
                    .keep(
                        new RedisLocks(
                            RedisSettings.of("127.0.0.1", servers.redis().port()).build(),
                            opener.worker(),
                            RedisLockOptions.DEFAULT,
                            Instruments.PLAIN))
                    .lock(LOCK)));
  }

  private static Contestant.Client cycles(DistributedLock lock) {
    return () -> {
      try (Lease lease = lock.acquire()) {
        lease.complete();
      }
    };
  }
}
