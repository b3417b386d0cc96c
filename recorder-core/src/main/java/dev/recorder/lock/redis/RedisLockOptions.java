package dev.recorder.lock.redis;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What all who contend for a lock should have in common: with different prefixes they do not see
 * each other, with different expiries each lease lasts as its own holder says.
 *
 * @param prefix what the server's keys begin with
 * @param expiry how long a key outlives its last renewal; renewed at a third of it
 * @param pause how long a waiter waits between two attempts, at most; half of it at least
 * @param connections how many calls for locks and releases are under way at a time, at most;
 *     renewals have one connection more
 */
public record RedisLockOptions(String prefix, Duration expiry, Duration pause, int connections) {
  /** A brace would move the slot that the key belongs to. */
  private static final Pattern PREFIX = Pattern.compile("[!-z|~]{0,100}");

  /**
   * What a server's key may live longer by our ticker than by its own clock, beside 1 % of it: the
   * allowance of the Redlock text (redis.io, "Distributed Locks with Redis").
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

  /** How long a lease counts from before the request that confirmed it was sent. */
  Duration validity() {
    return expiry.minus(expiry.dividedBy(100)).minus(LEAST_DRIFT);
  }

  Duration renewal() {
    return expiry.dividedBy(3);
  }

  /** After a call of the renewer's that failed: a tenth of the expiry, a second at most. */
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
