package dev.recorder.lock.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that the server executes atomically. KEYS[1] is the lock's key, ARGV[1] the value unique
 * to the acquisition. KEYS[2] is the mark: the value of the last holder, unless that holder
 * released the lock. If the lock's key is gone and the mark is still ours, no other holder can have
 * had the lock since. A counter would not show this, since a server that loses its memory counts
 * from the beginning.
 *
 * @param sha identifies the script to a server that has run it before
 */
record Script(String text, String sha) {
  /** How long a mark lasts after its last use, in milliseconds: a day. */
  private static final String MARKED = "86400000";

  /**
   * Takes the lock. ARGV[2] is the expiry in milliseconds, KEYS[3] the counter if Redis counts.
   * Returns the count, or 1 without a counter; nil if the key exists.
   */
  static final Script TAKE =
      of(
          """
          if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
          redis.call('SET', KEYS[2], ARGV[1], 'PX', %s)
          return KEYS[3] and redis.call('INCR', KEYS[3]) or 1
          """
              .formatted(MARKED));

  /**
   * Renews the lock. ARGV[2] is the expiry in milliseconds. Returns 1, nil if the key is gone, or
   * another holder's value. With a mark, a lost key is taken again if no other holder has had it.
   * The answer is then a list with the count, or an empty list without KEYS[3].
   */
  static final Script RENEW =
      of(
          """
          local holder = redis.call('GET', KEYS[1])
          if holder == ARGV[1] then
            if KEYS[2] then redis.call('PEXPIRE', KEYS[2], %1$s) end
            return redis.call('PEXPIRE', KEYS[1], ARGV[2])
          end
          if holder or not KEYS[2] or redis.call('GET', KEYS[2]) ~= ARGV[1] then return holder end
          redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
          redis.call('PEXPIRE', KEYS[2], %1$s)
          return KEYS[3] and {redis.call('INCR', KEYS[3])} or {}
          """
              .formatted(MARKED));

  /**
   * Releases the lock. Returns the number of removed keys, nil if the key is gone and another
   * holder may have had the lock, or another holder's value.
   */
  static final Script RELEASE =
      of(
          """
          local holder = redis.call('GET', KEYS[1])
          if holder == ARGV[1] or not holder and redis.call('GET', KEYS[2]) == ARGV[1] then
            return redis.call('DEL', KEYS[1], KEYS[2])
          end
          return holder
          """);

  private static Script of(String text) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] digest = sha1.digest(text.getBytes(StandardCharsets.UTF_8));
      return new Script(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
