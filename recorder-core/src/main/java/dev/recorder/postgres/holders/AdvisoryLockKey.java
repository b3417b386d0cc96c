package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.SchemaNames;
import org.jspecify.annotations.Nullable;

/**
 * One of the recorder's keys among the server's advisory locks. Any role may take any key.
 *
 * @param what describes the key in messages
 * @param first the first of a pair; null for a single number
 * @param number the second of a pair, the number, or the seed for {@code hashed}
 * @param hashed the text that the server hashes to the key; null if the key is given
 * @param shared whether it is normal that sessions hold a shared lock on the key
 */
public record AdvisoryLockKey(
    String what, @Nullable Integer first, long number, @Nullable String hashed, boolean shared) {
  /** Returns the key of a recorder, or of set-up. */
  public static AdvisoryLockKey ofLockId(SchemaNames schemas, int lockId) {
    return ofPair("lockid " + lockId, schemas.lockNamespace(), lockId);
  }

  /** Returns the key that sessions share while they wait for slots of a log. */
  public static AdvisoryLockKey ofWaiters(SchemaNames schemas, String recorder, int lockId) {
    return new AdvisoryLockKey(
        "the key by which those are known who wait for slots of " + recorder,
        schemas.waitersNamespace(),
        lockId,
        null,
        true);
  }

  public static AdvisoryLockKey ofPair(String what, int first, int second) {
    return new AdvisoryLockKey(what, first, second, null, false);
  }

  /** Returns a key that is the server's hash of a text. */
  public static AdvisoryLockKey ofHash(String what, String hashed, long seed) {
    return new AdvisoryLockKey(what, null, seed, hashed, false);
  }
}
