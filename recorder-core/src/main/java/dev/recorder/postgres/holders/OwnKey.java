package dev.recorder.postgres.holders;

import dev.recorder.postgres.sql.SchemaNames;
import org.jspecify.annotations.Nullable;

/**
 * A key of ours among the server's advisory locks, which any role may take.
 *
 * @param what what it is, for people
 * @param first of a pair; null of a key that is one number
 * @param number the second of a pair, the number, or what {@code hashed} is hashed with
 * @param hashed what it is the hash of, by the server; null if it is none
 * @param shared whether those who hold it with others are where they should be
 */
public record OwnKey(
    String what, @Nullable Integer first, long number, @Nullable String hashed, boolean shared) {
  /** That of a recorder, or of set-up. */
  public static OwnKey ofLockId(SchemaNames schemas, int lockId) {
    return ofPair("lockid " + lockId, schemas.lockNamespace(), lockId);
  }

  /** That which sessions share that wait for slots of a log. */
  public static OwnKey ofWaiters(SchemaNames schemas, String recorder, int lockId) {
    return new OwnKey(
        "the key by which those are known who wait for slots of " + recorder,
        schemas.waitersNamespace(),
        lockId,
        null,
        true);
  }

  public static OwnKey ofPair(String what, int first, int second) {
    return new OwnKey(what, first, second, null, false);
  }

  /** The server's hash of a text. */
  public static OwnKey ofHash(String what, String hashed, long seed) {
    return new OwnKey(what, null, seed, hashed, false);
  }
}
