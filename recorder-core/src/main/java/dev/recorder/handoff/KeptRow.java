package dev.recorder.handoff;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A row of a hand-off table, with its exclusion from reads.
 *
 * @param excludedBy the slot that already has the row, so that reads skip the row; 0 if the row is
 *     not excluded
 * @param key in UTF-8, or null
 * @param payload in UTF-8, as the producer wrote it
 */
public record KeptRow(
    long id,
    long xid,
    long timeMicros,
    long excludedBy,
    @Nullable ByteBuffer key,
    Payload payload) {
  /** A payload that may be larger than the heap. Its pieces can be read once. */
  @FunctionalInterface
  public interface Payload {

    /** Returns the next piece, or null after the last. A piece is valid until the next call. */
    @Nullable ByteBuffer next();

    /** Returns a payload of one piece. */
    static Payload whole(ByteBuffer bytes) {
      return new Payload() {
        private @Nullable ByteBuffer left = bytes;

        @Override
        public @Nullable ByteBuffer next() {
          ByteBuffer piece = left;
          left = null;
          return piece;
        }
      };
    }
  }
}
