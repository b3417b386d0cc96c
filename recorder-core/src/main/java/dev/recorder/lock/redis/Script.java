package dev.recorder.lock.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What the server does in one step. KEYS[1] is the lock, ARGV[1] the value that one acquisition
 * has.
 *
 * @param sha by which a server knows the script that has run it before
 */
record Script(String text, String sha) {
  /** KEYS[2] is the counter, ARGV[2] the expiry in milliseconds; nothing if the key is there. */
  static final Script TAKE_WITH_TOKEN =
      of(
          """
          return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
            and redis.call('INCR', KEYS[2])
          """);

  /** 1, nothing if the key is gone, or whose it is; ARGV[2] is the expiry in milliseconds. */
  static final Script RENEW =
      of(
          """
          local holder = redis.call('GET', KEYS[1])
          if holder ~= ARGV[1] then return holder end
          return redis.call('PEXPIRE', KEYS[1], ARGV[2])
          """);

  /** 1, nothing if the key is gone, or whose it is. */
  static final Script RELEASE =
      of(
          """
          local holder = redis.call('GET', KEYS[1])
          if holder ~= ARGV[1] then return holder end
          return redis.call('DEL', KEYS[1])
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
