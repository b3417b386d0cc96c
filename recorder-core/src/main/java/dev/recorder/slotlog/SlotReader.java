package dev.recorder.slotlog;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads slots from the store: unpacks an object, hashes its content and splits it into lines. The
 * caller compares the hash.
 */
public final class SlotReader {
  private static final int PIECE = 16 << 10;

  private final ObjectStore bucket;
  private final LogLayout layout;

  public SlotReader(ObjectStore bucket, LogLayout layout) {
    this.bucket = bucket;
    this.layout = layout;
  }

  /**
   * The metadata and lines of a slot.
   *
   * @param metadata the object's metadata; empty if missing or malformed
   * @param sha256 hash of the uncompressed content as read now
   */
  public record Slot(Optional<ObjectMetadata> metadata, String sha256, List<RecordedLine> lines) {}

  /**
   * The metadata and content of a slot, not split into lines.
   *
   * @param metadata the object's metadata; empty if missing or malformed
   * @param sha256 hash of {@code lines} as read now
   * @param lines the uncompressed content
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  public record Content(Optional<ObjectMetadata> metadata, String sha256, byte[] lines) {}

  /** A slot could not be read. The message names the object. */
  public static final class UnreadableSlotException extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean unreachable;
    private final boolean rights;
    private final boolean temporary;
    private final boolean excessive;

    UnreadableSlotException(String message, boolean excessive) {
      super(message);
      this.excessive = excessive;
      this.unreachable = false;
      this.rights = false;
      this.temporary = false;
    }

    public UnreadableSlotException(ObjectStore.Unclear unclear) {
      super(unclear.reason());
      this.excessive = false;
      this.unreachable = true;
      this.rights = unclear.rights();
      this.temporary = unclear.remediable();
    }

    /** Returns true if the store gave no answer, and false if the object is not a valid slot. */
    public boolean isUnreachable() {
      return unreachable;
    }

    /** Returns true if the object exceeds its limit. */
    public boolean isExcessive() {
      return excessive;
    }

    /** Returns true if the store gave no answer, and waiting may help. */
    public boolean isTemporary() {
      return temporary;
    }

    /** Returns true if the store refused for lack of credentials or of a right. */
    public boolean lacksRights() {
      return rights;
    }
  }

  /** Reads slot {@code slot} and splits it into lines; empty if there is no such object. */
  public Optional<Slot> read(long slot) throws UnreadableSlotException {
    Optional<Content> content = readContent(slot);
    return content.isPresent() ? Optional.of(parse(slot, content.get())) : Optional.empty();
  }

  /** Reads slot {@code slot} without splitting it into lines; empty if there is no such object. */
  public Optional<Content> readContent(long slot) throws UnreadableSlotException {
    return readContent(slot, SlotBound.unplanned());
  }

  /**
   * Reads slot {@code slot} within a limit, without splitting it into lines; empty if there is no
   * such object.
   *
   * @throws UnreadableSlotException also if the slot exceeds the limit
   */
  public Optional<Content> readContent(long slot, SlotBound bound) throws UnreadableSlotException {
    ObjectStore.GetAnswer answer = bucket.get(layout.slotKey(slot), bound.packed());
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new UnreadableSlotException(unclear);
    } else if (answer instanceof ObjectStore.NotRead) {
      throw excessive(slot, bound);
    } else if (answer instanceof ObjectStore.Body body) {
      return Optional.of(unpack(slot, body, bound));
    }
    return Optional.empty();
  }

  /**
   * Returns the chain in the metadata of slot {@code slot}; empty if there is no such object of
   * this log.
   */
  public Optional<LogChain> chain(UUID log, long slot) throws UnreadableSlotException {
    ObjectStore.HeadAnswer answer = bucket.head(layout.slotKey(slot));
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new UnreadableSlotException(unclear);
    }
    return answer instanceof ObjectStore.Present present
        ? ObjectMetadata.from(present.metadata())
            .filter(object -> object.log().equals(log) && object.slot() == slot)
            .map(ObjectMetadata::chain)
        : Optional.empty();
  }

  private Content unpack(long slot, ObjectStore.Body body, SlotBound bound)
      throws UnreadableSlotException {
    if (layout.compression() == Compression.NONE) { // No copy is made.
      if (body.bytes().length > bound.unpacked()) {
        throw excessive(slot, bound);
      }
      return content(body, body.bytes());
    }
    try (InputStream content = layout.compression().unpacking(body.bytes())) {
      PackedBytes unpacked = new PackedBytes();
      byte[] piece = new byte[PIECE];
      for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
        unpacked.write(piece, 0, read);
        if (unpacked.size() > bound.unpacked()) {
          throw excessive(slot, bound);
        }
      }
      return content(body, unpacked.toByteArray());
    } catch (IOException e) {
      throw damaged(slot, e.getMessage(), false);
    }
  }

  private static Content content(ObjectStore.Body body, byte[] lines) {
    String sha256 = HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(lines));
    return new Content(ObjectMetadata.from(body.metadata()), sha256, lines);
  }

  private Slot parse(long slot, Content content) throws UnreadableSlotException {
    try {
      return new Slot(content.metadata(), content.sha256(), split(content.lines()));
    } catch (IllegalArgumentException e) {
      throw damaged(slot, e.getMessage(), false);
    }
  }

  private UnreadableSlotException excessive(long slot, SlotBound bound) {
    return damaged(slot, bound.excess(), true);
  }

  private UnreadableSlotException damaged(long slot, @Nullable String why, boolean excessive) {
    return new UnreadableSlotException(
        "object " + layout.slotKey(slot) + " is damaged or was not written by a recorder: " + why,
        excessive);
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
