package dev.recorder.handoff;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A row as it lies in the hand-off.
 *
 * @param excludedBy the slot that is said to hold it, so that reads pass over it; 0 if none is
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
  /** A payload that may be larger than the heap: it comes in pieces, once. */
  @FunctionalInterface
  public interface Payload {

    /** The next piece, which is the caller's until it asks again; null if there is none. */
    @Nullable ByteBuffer next();

    /** One that is there. */
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
