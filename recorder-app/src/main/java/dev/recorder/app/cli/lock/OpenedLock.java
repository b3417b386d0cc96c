package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.daemon.ElectionLocks;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.Cadence;
import dev.recorder.lock.postgres.MutexLocks;
import dev.recorder.lock.postgres.RowOptions;
import dev.recorder.lock.postgres.SequenceCounter;
import dev.recorder.lock.postgres.TimeoutLocks;
import dev.recorder.lock.redis.RedisLocks;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A lock and the service that it belongs to. Closing it closes the service. */
record OpenedLock(DistributedLock lock, AutoCloseable service) implements AutoCloseable {
  private static final Duration TOKEN_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Opens a lock.
   *
   * @param every for kind timeout, how often the lock may be taken
   * @param retries how often a new row may be taken; null for no limit
   * @throws CommandFailure if the name or the cadence is not valid
   */
  static OpenedLock of(LockAddress address, @Nullable Cadence every, @Nullable Integer retries)
      throws CommandFailure {
    RowOptions rows = RowOptions.DEFAULT.inQueue(address.queue());
    RowOptions options = retries == null ? rows : rows.withRetries(retries);
    try {
      return switch (address.kind()) {
        case ADVISORY -> advisory(address);
        case MUTEX -> {
          MutexLocks mutexes = new MutexLocks(address.sessions(), Instruments.PLAIN);
          yield new OpenedLock(mutexes.lock(address.name(), options), mutexes);
        }
        case TIMEOUT -> {
          TimeoutLocks timeouts = new TimeoutLocks(address.sessions(), Instruments.PLAIN);
          Cadence cadence = Objects.requireNonNull(every);
          yield new OpenedLock(timeouts.lock(address.name(), cadence, options), timeouts);
        }
        case REDIS -> redis(address);
      };
    } catch (IllegalArgumentException | LockException bad) {
      throw CommandFailure.usage(String.valueOf(bad.getMessage()));
    }
  }

  private static OpenedLock advisory(LockAddress address) {
    AdvisoryLocks locks = new AdvisoryLocks(address.sessions(), Instruments.PLAIN);
    Integer lockId = address.lockId();
    return new OpenedLock(lockId == null ? locks.lock(address.name()) : locks.lock(lockId), locks);
  }

  /**
   * Opens a lock of Redis. If the file names a database, PostgreSQL counts the fencing tokens,
   * since a Redis server that restarts empty would count from 1 again.
   */
  private static OpenedLock redis(LockAddress address) {
    LockConfig config = address.config();
    RedisConfig redis = Objects.requireNonNull(config.redis());
    if (config.database() == null) {
      RedisLocks locks = ElectionLocks.open(redis, config.machine().name());
      return ofRedis(address, locks, () -> {});
    }
    SequenceCounter tokens = new SequenceCounter(address.sessions(), TOKEN_TIMEOUT);
    return ofRedis(
        address, ElectionLocks.open(redis, config.machine().name(), tokens), tokens::close);
  }

  private static OpenedLock ofRedis(LockAddress address, RedisLocks locks, Runnable tokens) {
    AutoCloseable both =
        () -> {
          locks.close();
          tokens.run();
        };
    try {
      return new OpenedLock(locks.lock(address.name()), both);
    } catch (IllegalArgumentException bad) {
      locks.close();
      tokens.run();
      throw bad;
    }
  }

  @Override
  public void close() {
    try {
      service.close();
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
