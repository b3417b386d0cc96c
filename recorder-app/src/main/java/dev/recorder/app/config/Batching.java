package dev.recorder.app.config;

import java.time.Duration;

/**
 * How rows are gathered into objects: one is closed by whichever bound is met first.
 *
 * @param linger how long the first row waits for company
 * @param rotateBytes before compression
 * @param maxPayload the largest payload that the hand-off table lets in
 */
public record Batching(
    Duration linger,
    int rotateRows,
    ByteSize rotateBytes,
    ByteSize maxPayload,
    CompressionWord compression) {

  static final Setting<Duration> LINGER = Setting.duration("linger", "1s", "0s", "1h");
  static final Setting<Integer> ROTATE_ROWS = Setting.number("rotate_rows", 50_000, 1, 10_000_000);
  static final Setting<ByteSize> ROTATE_BYTES =
      Setting.size("rotate_bytes", "8MiB", "1KiB", "1GiB");
  static final Setting<ByteSize> MAX_PAYLOAD =
      Setting.size("max_payload", "16MiB", "1KiB", "256MiB");
  static final Setting<CompressionWord> COMPRESSION =
      Setting.word("compression", CompressionWord.GZIP);

  public Batching {
    LINGER.require(linger);
    ROTATE_ROWS.require(rotateRows);
    ROTATE_BYTES.require(rotateBytes);
    MAX_PAYLOAD.require(maxPayload);
  }
}
