package dev.recorder.requests.handlers;

import java.nio.charset.StandardCharsets;

/** Keeps the end of a stream of any length. Not thread-safe. */
final class LastBytes {
  private static final int CONTINUATION_MASK = 0xC0;
  private static final int CONTINUATION = 0x80;

  private final byte[] kept;
  private int length;
  private boolean cut;

  LastBytes(int most) {
    this.kept = new byte[most];
  }

  void add(byte[] bytes, int count) {
    int fresh = Math.min(count, kept.length);
    int old = Math.min(length, kept.length - fresh);
    cut |= old < length || fresh < count;
    System.arraycopy(kept, length - old, kept, 0, old);
    System.arraycopy(bytes, count - fresh, kept, old, fresh);
    length = old + fresh;
  }

  /** Returns the bytes as UTF-8, without a character that was cut at the beginning. */
  String text() {
    int start = 0;
    while (cut && start < length && (kept[start] & CONTINUATION_MASK) == CONTINUATION) {
      start++;
    }
    return new String(kept, start, length - start, StandardCharsets.UTF_8);
  }
}
