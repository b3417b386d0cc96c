package dev.recorder.slotlog;

import dev.recorder.handoff.RecordedLine;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Reads slots back: bytes, checked against the hash they were stored with, split into lines. */
public final class SlotReader {
  private final ObjectStore bucket;
  private final LogLayout layout;

  public SlotReader(ObjectStore bucket, LogLayout layout) {
    this.bucket = bucket;
    this.layout = layout;
  }

  /**
   * What a slot holds.
   *
   * @param metadata the object's, or empty if they are missing or malformed
   * @param sha256 of the uncompressed content as it was read now
   */
  public record Slot(Optional<ObjectMetadata> metadata, String sha256, List<RecordedLine> lines) {}

  /** A slot could not be read. Its message names the object. */
  public static final class UnreadableSlotException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean unreachable;

    UnreadableSlotException(String message, boolean unreachable) {
      super(message);
      this.unreachable = unreachable;
    }

    /** True if the store gave no answer, false if what it gave is no slot. */
    public boolean isUnreachable() {
      return unreachable;
    }
  }

  /** Reads slot {@code slot} wholly; empty if there is no such object. */
  public Optional<Slot> read(long slot) throws UnreadableSlotException {
    String key = layout.slotKey(slot);
    ObjectStore.GetAnswer answer = bucket.get(key);
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new UnreadableSlotException(unclear.reason(), true);
    } else if (answer instanceof ObjectStore.Body body) {
      return Optional.of(parse(key, body));
    }
    return Optional.empty();
  }

  private Slot parse(String key, ObjectStore.Body body) throws UnreadableSlotException {
    try (InputStream content = layout.compression().unpacking(body.bytes())) {
      byte[] bytes = content.readAllBytes();
      String sha256 = HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(bytes));
      return new Slot(ObjectMetadata.from(body.metadata()), sha256, split(bytes));
    } catch (IOException | IllegalArgumentException e) {
      throw new UnreadableSlotException(
          "object " + key + " is damaged or was not written by a recorder: " + e.getMessage(),
          false);
    }
  }

  private static List<RecordedLine> split(byte[] content) {
    List<RecordedLine> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < content.length; i++) {
      if (content[i] == '\n') {
        lines.add(RecordedLine.parse(content, start, i + 1));
        start = i + 1;
      }
    }
    if (start != content.length) {
      throw new IllegalArgumentException("the last line has no end");
    }
    return lines;
  }
}
