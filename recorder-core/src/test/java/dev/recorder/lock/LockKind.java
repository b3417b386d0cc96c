package dev.recorder.lock;

import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.MutexLocks;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.lock.postgres.tasks.TaskLocks;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import java.util.function.Function;

/** The kinds of lock, as a client in any process opens them. */
enum LockKind {
  ADVISORY,
  MUTEX,
  /** Has one lease per period, whoever closes it. */
  TIMEOUT,
  TASK,
  REDIS;

  static final Duration PERIOD = Duration.ofMillis(200);

  Client open(Servers servers, String worker, Instruments instruments) {
    return switch (this) {
      case ADVISORY -> {
        AdvisoryLocks locks = new AdvisoryLocks(servers.sessions(worker), instruments);
        yield new Client(locks::lock, locks::close);
      }
      case MUTEX -> {
        MutexLocks locks = new MutexLocks(servers.sessions(worker), instruments);
        yield new Client(locks::lock, locks::close);
      }
      case TIMEOUT -> {
        TimeoutLocks locks = new TimeoutLocks(servers.sessions(worker), instruments);
        yield new Client(name -> locks.lock(name, PERIOD), locks::close);
      }
      case TASK -> {
        TaskLocks locks =
            new TaskLocks(servers.sessions(worker), Duration.ofMinutes(10), instruments);
        yield new Client(locks::lock, locks::close);
      }
      case REDIS -> {
        RedisLocks locks =
            new RedisLocks(
                RedisSettings.of("127.0.0.1", servers.redis())
                    .timeout(Duration.ofSeconds(20))
                    .build(),
                worker,
                RedisLockOptions.DEFAULT.withExpiry(Duration.ofMinutes(2)),
                instruments);
        yield new Client(locks::lock, locks::close);
      }
    };
  }

  /**
   * Where the servers are, on this host.
   *
   * @param postgres its port, or a proxy's
   */
  record Servers(int postgres, String database, int redis) {
    private Sessions sessions(String worker) {
      return LockSites.sessions(database, worker, postgres);
    }
  }

  /** One client of the lock service, as a process has one; its locks are closed with it. */
  record Client(Function<String, DistributedLock> locks, Runnable closing)
      implements AutoCloseable {
    DistributedLock lock(String name) {
      return locks.apply(name);
    }

    @Override
    public void close() {
      closing.run();
    }
  }
}
