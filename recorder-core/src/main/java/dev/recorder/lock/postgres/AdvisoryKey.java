package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import java.nio.ByteBuffer;

/**
 * The key of an advisory lock. Lockids use the key space of two ints, names that of one bigint, so
 * that they never collide.
 *
 * @param isPair whether the key is in the key space of two ints
 * @param high first key, or the upper half of the bigint
 * @param low second key, or the lower half
 */
record AdvisoryKey(boolean isPair, int high, int low) {
  /** Returns the key of a lockid, in the namespace of the control schema, which recorders use. */
  static AdvisoryKey ofLockId(SchemaNames schemas, int lockId) {
    return new AdvisoryKey(true, schemas.lockNamespace(), lockId);
  }

  /**
   * Returns the key of a name: the first 64 bits of its SHA-256. Among 100,000 names, two share a
   * key with a probability of one in 3.7 billion; with 32 bits it would be 69 %.
   */
  static AdvisoryKey ofName(SchemaNames schemas, String name) {
    String text = "lock/" + schemas.control() + "/" + name;
    ByteBuffer hash = ByteBuffer.wrap(SchemaNames.digest("SHA-256", text));
    return new AdvisoryKey(false, hash.getInt(), hash.getInt());
  }

  long asLong() {
    return ((long) high << Integer.SIZE) | Integer.toUnsignedLong(low);
  }
}
