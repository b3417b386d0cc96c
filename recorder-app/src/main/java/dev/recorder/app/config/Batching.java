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
    LingerSetting linger,
    int rotateRows,
    ByteSize rotateBytes,
    ByteSize maxPayload,
    CompressionWord compression) {

  static final Setting<LingerSetting> LINGER =
      new Setting<>(
              "linger",
              LingerSetting.class,
              new LingerSetting(Duration.ofSeconds(1)),
              new LingerSetting.LingerLimits(Duration.ofHours(1)))
          .takes("`0s` to `1h`, `auto`")
          .means(
              "Logs only. How long rows wait for a fuller object, from the moment that the first of"
                  + " them is seen. `auto`: one object in 10 s, except full ones, and a row that"
                  + " comes after a pause waits for 1 s. [What objects"
                  + " cost](operating.md#objects-and-what-they-cost).");
  static final Setting<Integer> ROTATE_ROWS =
      Setting.number("rotate_rows", 50_000, 1, 10_000_000)
          .means("Logs only. Most rows in an object.");
  static final Setting<ByteSize> ROTATE_BYTES =
      Setting.size("rotate_bytes", "8MiB", "1KiB", "1GiB")
          .means(
              "Logs only. Most bytes in an object before compression; a larger row has an object to"
                  + " itself.");
  static final Setting<ByteSize> MAX_PAYLOAD =
      Setting.size("max_payload", "16MiB", "1KiB", "256MiB")
          .means(
              "Largest payload that the table accepts; a producer with a larger one gets an error"
                  + " that names the check `payload_within_max_payload`. The same on all hosts. One"
                  + " such row must fit two fifths of the heap twice, as it is read and as it is"
                  + " packed or sent, or the recorder is refused at start: 16 MiB need `-Xmx87m`,"
                  + " 64 MiB `-Xmx339m`.");
  static final Setting<CompressionWord> COMPRESSION =
      Setting.word("compression", CompressionWord.GZIP)
          .means(
              "Logs only. `zstd` makes smaller objects in less time, which end in `.ndjson.zst`."
                  + " Pinned when the log is created.");

  public Batching {
    LINGER.require(linger);
    ROTATE_ROWS.require(rotateRows);
    ROTATE_BYTES.require(rotateBytes);
    MAX_PAYLOAD.require(maxPayload);
  }
}
