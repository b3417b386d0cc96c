package dev.recorder.audit;

import dev.recorder.slotlog.SlotContentBuilder;
import java.nio.ByteBuffer;

/** A whole line in 16 bytes: the first half of its SHA-256. */
record LineHash(long high, long low) {
  static LineHash of(byte[] line) {
    ByteBuffer digest = ByteBuffer.wrap(SlotContentBuilder.sha256().digest(line));
    return new LineHash(digest.getLong(), digest.getLong());
  }
}
