package dev.recorder.lock.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What the server does in one step. KEYS[1] is the lock, ARGV[1] the value that one acquisition
 * has. KEYS[2] is the lock's mark: the value of its last holder, unless that was given back. Where
 * the lock's key is gone and the mark is still ours, nobody can have had the lock in between; a
 * counter would not tell, since a server that forgets begins to count again.
 *
 * @param sha by which a server knows the script that has run it before
 */
record Script(String text, String sha) {
  /** For how long a mark outlives what was last done under it, in milliseconds: a day. */
  private static final String MARKED = "86400000";

  /**
   * ARGV[2] is the expiry in milliseconds, KEYS[3] the counter if it is Redis' own. The count, or 1
   * if there is no counter; nothing if the key is there.
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
   * 1, nothing if the key is gone, or whose it is; ARGV[2] is the expiry in milliseconds. With a
   * mark, a key that is gone is taken again if nobody else has had it; that is a list of the count,
   * which is empty if KEYS[3] is not given.
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

  /** How many keys that was, nothing if others may have had the lock, or whose it is. */
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
