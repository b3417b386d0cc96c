package dev.recorder.lock.redis;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Options that all contenders for a lock should share. Contenders with different prefixes do not
 * see each other's locks, and each lease lasts for its holder's own expiry.
 *
 * @param prefix of the server's keys
 * @param expiry how long a key lasts after its last renewal; renewals come at a third of it
 * @param pause the longest pause between two attempts; the shortest is half of it
 * @param connections the most concurrent calls for acquisitions and releases; renewals have one
 *     more connection
 */
public record RedisLockOptions(String prefix, Duration expiry, Duration pause, int connections) {
  /** Excludes braces, which would change the key's cluster slot. */
  private static final Pattern PREFIX = Pattern.compile("[!-z|~]{0,100}");

  /**
   * The least margin, in addition to 1 %, by which a key may last longer by this JVM's ticker than
   * by the server's clock. It is the allowance of the Redlock text (redis.io, "Distributed Locks
   * with Redis").
   */
  private static final Duration LEAST_DRIFT = Duration.ofMillis(2);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

  /** {@code recorder:}, 15 s, renewed every 5 s; 50 to 100 ms between attempts; 8 connections. */
  public static final RedisLockOptions DEFAULT =
      new RedisLockOptions("recorder:", Duration.ofSeconds(15), Duration.ofMillis(100), 8);

  public RedisLockOptions {
    require(
        PREFIX.matcher(prefix).matches(),
        "prefix must be up to 100 ASCII characters without blanks and braces, is '" + prefix + "'");
    require(
        expiry.toMillis() >= 30 && expiry.toDays() < 1,
        "expiry must be between 30 ms and a day, is " + expiry);
    require(!pause.isNegative() && !pause.isZero(), "pause must be positive, is " + pause);
    require(connections > 0, "connections must be positive, are " + connections);
  }

  public RedisLockOptions withPrefix(String other) {
    return new RedisLockOptions(other, expiry, pause, connections);
  }

  public RedisLockOptions withExpiry(Duration other) {
    return new RedisLockOptions(prefix, other, pause, connections);
  }

  /** How long a lease lasts, counted from before its last confirmed request was sent. */
  Duration validity() {
    return expiry.minus(expiry.dividedBy(100)).minus(LEAST_DRIFT);
  }

  Duration renewal() {
    return expiry.dividedBy(3);
  }

  /** The pause after a failed renewal: a tenth of the expiry, at most a second. */
  Duration retry() {
    Duration tenth = expiry.dividedBy(10);
    return tenth.compareTo(LONGEST_RETRY) < 0 ? tenth : LONGEST_RETRY;
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException("redis lock: " + problem);
    }
  }
}
