package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.value.Secret;
import dev.recorder.handoff.RecorderName;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.redis.RedisLockOptions;
import dev.recorder.lock.redis.RedisLocks;
import dev.recorder.lock.redis.RedisSettings;
import dev.recorder.machine.Services;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The Redis keys that elect the active hosts of recorders, if the file has a section {@code
 * [redis]}. Connects when the first key is used.
 *
 * <p>The fencing tokens of the keys are not used: the epoch in PostgreSQL fences a recorder.
 */
public final class ElectionLocks implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final @Nullable RedisConfig redis;
  private final @Nullable RedisLocks locks;
  private final String scope;

  public ElectionLocks(RecorderConfig config) {
    redis = config.redis();
    locks = redis == null ? null : open(redis, config.machine().name());
    // A database may have any name, but a lock's name has no blanks and no braces.
    String database =
        config.database().get(DatabaseConfig.DATABASE).replaceAll("[^A-Za-z0-9_.-]", "_");
    scope = "election/" + database + "/" + config.database().schema() + "/";
  }

  /**
   * Returns the services that a machine needs besides the database: buckets and, with {@code
   * [redis]}, keys.
   */
  public Services with(Stores stores) {
    return redis == null
        ? Services.of(stores, stores.time())
        : new Services(stores, this::key, redis.renewal(), stores.time());
  }

  private DistributedLock key(RecorderName recorder) {
    if (locks == null) {
      throw new IllegalStateException("no server elects recorder " + recorder);
    }
    return locks.lock(scope + recorder);
  }

  /** Opens the locks of a Redis server. Redis counts the fencing tokens. */
  public static RedisLocks open(RedisConfig redis, String worker) {
    return new RedisLocks(settings(redis), worker, options(redis), Instruments.PLAIN);
  }

  /** Opens the locks of a Redis server. {@code tokens} counts the fencing tokens. */
  public static RedisLocks open(RedisConfig redis, String worker, FencingCounter tokens) {
    return new RedisLocks(settings(redis), worker, options(redis), Instruments.PLAIN, tokens);
  }

  private static RedisLockOptions options(RedisConfig redis) {
    return RedisLockOptions.DEFAULT
        .withPrefix(redis.get(RedisConfig.PREFIX))
        .withExpiry(redis.get(RedisConfig.EXPIRY));
  }

  /**
   * Returns the settings of the connections to Redis. One call takes at most a sixth of the keys'
   * expiry, and at most a second.
   */
  public static RedisSettings settings(RedisConfig redis) {
    Duration part = redis.get(RedisConfig.EXPIRY).dividedBy(6);
    Secret password = redis.orNull(RedisConfig.PASSWORD);
    return RedisSettings.of(redis.get(RedisConfig.ENDPOINT), redis.get(RedisConfig.PORT))
        .user(redis.orNull(RedisConfig.USER))
        .passwords(() -> password == null ? null : password.current())
        .tls(redis.get(RedisConfig.TLS) ? trusted() : null)
        .timeout(part.compareTo(TIMEOUT) < 0 ? part : TIMEOUT)
        .build();
  }

  private static SSLContext trusted() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has a default", impossible);
    }
  }

  @Override
  public void close() {
    if (locks != null) {
      locks.close();
    }
  }
}
