package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What PostgreSQL knows an advisory lock by. Lockids and names have a key space each, that of two
 * ints and that of one bigint, so that none can be the other.
 *
 * @param isPair whether it is in the key space of two ints
 * @param high first key, or the upper half of the bigint
 * @param low second key, or the lower half
 */
record AdvisoryKey(boolean isPair, int high, int low) {
  /** A lockid, as recorders have them, in the namespace of the control schema. */
  static AdvisoryKey ofLockId(SchemaNames schemas, int lockId) {
    return new AdvisoryKey(true, schemas.lockNamespace(), lockId);
  }

  /**
   * A name, by the first 64 bits of its SHA-256: among 100,000 names two share a key with a chance
   * of one in 3.7 billion; of 32 bits it would be 69 %.
   */
  static AdvisoryKey ofName(SchemaNames schemas, String name) {
    ByteBuffer hash = ByteBuffer.wrap(sha256("lock/" + schemas.control() + "/" + name));
    return new AdvisoryKey(false, hash.getInt(), hash.getInt());
  }

  /** Both halves in one. */
  long asLong() {
    return ((long) high << Integer.SIZE) | Integer.toUnsignedLong(low);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
