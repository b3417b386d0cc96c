package dev.recorder.lock;

import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.MutexLocks;
import dev.recorder.lock.postgres.TaskLocks;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import java.time.Duration;

/** The kinds of lock, as a client in any process opens them. */
enum LockKind {
  ADVISORY {
    @Override
    Client open(Servers servers, String worker, Instruments instruments) {
      AdvisoryLocks locks = new AdvisoryLocks(servers.sessions(worker), instruments);
      return client(locks::lock, locks::close);
    }
  },
  MUTEX {
    @Override
    Client open(Servers servers, String worker, Instruments instruments) {
      MutexLocks locks = new MutexLocks(servers.sessions(worker), instruments);
      return client(locks::lock, locks::close);
    }
  },
  /** Has one lease per period, whoever closes it. */
  TIMEOUT {
    @Override
    Client open(Servers servers, String worker, Instruments instruments) {
      TimeoutLocks locks = new TimeoutLocks(servers.sessions(worker), instruments);
      return client(name -> locks.lock(name, PERIOD), locks::close);
    }
  },
  TASK {
    @Override
    Client open(Servers servers, String worker, Instruments instruments) {
      TaskLocks locks =
          new TaskLocks(servers.sessions(worker), Duration.ofMinutes(10), instruments);
      return client(locks::lock, locks::close);
    }
  },
  REDIS {
    @Override
    Client open(Servers servers, String worker, Instruments instruments) {
      RedisLocks locks =
          new RedisLocks(
              new RedisSettings(
                  "127.0.0.1", servers.redis(), null, null, null, Duration.ofSeconds(20)),
              worker,
              RedisLockOptions.DEFAULT.withExpiry(Duration.ofMinutes(2)),
              instruments);
      return client(locks::lock, locks::close);
    }
  };

  static final Duration PERIOD = Duration.ofMillis(200);

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

  /** One client of the lock service, as a process has one. */
  interface Client extends AutoCloseable {
    DistributedLock lock(String name);

    @Override
    void close();
  }

  /** How a client gives its locks. */
  interface Locks {
    DistributedLock lock(String name);
  }

  abstract Client open(Servers servers, String worker, Instruments instruments);

  /** One whose locks are closed with it. */
  static Client client(Locks locks, Runnable close) {
    return new Client() {
      @Override
      public DistributedLock lock(String name) {
        return locks.lock(name);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
