package dev.recorder.audit.objects;

import dev.recorder.handoff.LineFields;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotBound;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.Content;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.Optional;

/** Reads one slot after the other, and holds the content of one at a time. */
public final class SlotObjects {
  /**
   * The memory of an object in multiples of its size: as received, unpacked in pieces, and in one
   * piece.
   */
  private static final int COPIES = 3;

  /** The memory of a line while its object is examined. */
  private static final int BYTES_A_LINE = 64;

  private final SlotReader reader;
  private final ReadingRoom room;
  private final LogLayout layout;
  private final LineFields fields = new LineFields();
  private final RowPrints prints = new RowPrints();

  public SlotObjects(ObjectStore bucket, LogLayout layout) {
    this(bucket, layout, ReadingRoom.UNLIMITED);
  }

  public SlotObjects(ObjectStore bucket, LogLayout layout, ReadingRoom room) {
    this.room = room;
    this.reader = new SlotReader(bucket, layout);
    this.layout = layout;
  }

  public LogLayout layout() {
    return layout;
  }

  /** Returns the memory of an object with so many bytes and lines while it is examined. */
  static long need(long bytes, long rows) {
    return COPIES * bytes + BYTES_A_LINE * rows;
  }

  /**
   * Waits until there is room for an object beside {@code kept} bytes that stay in memory. {@code
   * kept} may be at most half of the budget, since recording continues.
   *
   * @throws UnfinishedException if there is no room
   */
  public void makeRoom(long kept, long object) {
    String tooLarge = tooLarge(room, object);
    if (!tooLarge.isEmpty()) {
      throw new UnfinishedException(tooLarge, true);
    }
    if (kept > room.limit() / 2) {
      throw new UnfinishedException(
          "it would take %d MiB of the %d MiB that this process has for rows: give it a larger heap"
              .formatted(kept >> 20, room.limit() >> 20));
    }
    if (!room.of(kept + object)) {
      throw new UnfinishedException("no memory was free for %d bytes".formatted(kept + object));
    }
  }

  /**
   * Returns why this process cannot read an object that takes {@code need} bytes; empty if it can.
   * The received copy is not counted in full, since it is packed and usually small.
   */
  public static String tooLarge(ReadingRoom room, long need) {
    return need / COPIES * (COPIES - 1) <= room.most()
        ? ""
        : "an object takes %d MiB while it is looked at, and this process has %d MiB for that: give it a larger heap (-Xmx)"
            .formatted(need >> 20, room.most() >> 20);
  }

  /** Gives back all memory. */
  public void leaveRoom() {
    room.of(0);
  }

  /** The object under the slot's key is not a slot. */
  public static class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message, null, false, false);
    }
  }

  /** The object is larger than allowed. */
  private static final class ExcessException extends DamagedException {
    private static final long serialVersionUID = 1L;

    ExcessException(String message) {
      super(message);
    }
  }

  /**
   * Returns the object of {@code slot}, once there is room for it; empty if it does not exist.
   *
   * @param kept bytes that are held in memory beside it
   * @throws UnreadableSlotException if the store does not answer
   * @throws UnfinishedException if there is no room
   */
  public Optional<SlotObject> read(long slot, SlotSize size, long kept)
      throws UnreadableSlotException, DamagedException {
    makeRoom(kept, size.need());
    SlotBound read = size.first();
    while (true) {
      try {
        return read(slot, read);
      } catch (ExcessException larger) {
        if (read.bytes() >= size.bound().bytes()) {
          throw larger;
        }
      }
      read = size.after(read);
      makeRoom(kept, SlotSize.need(read));
    }
  }

  /**
   * Returns the object of {@code slot} if it is within {@code bound}; empty if it does not exist.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  public Optional<SlotObject> read(long slot, SlotBound bound)
      throws UnreadableSlotException, DamagedException {
    Optional<Content> read;
    try {
      read = reader.readContent(slot, bound);
    } catch (UnreadableSlotException e) {
      if (e.isUnreachable()) {
        throw e;
      } else if (e.isExcessive()) {
        throw new ExcessException(String.valueOf(e.getMessage()));
      }
      throw new DamagedException(String.valueOf(e.getMessage()));
    }
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Content content = read.get();
    try {
      return Optional.of(
          new SlotObject(
              content.metadata(),
              content.sha256(),
              content.lines().length,
              SlotLines.of(content, fields, prints)));
    } catch (IllegalArgumentException e) {
      throw new DamagedException(
          "object %s is damaged or was not written by a recorder: %s"
              .formatted(layout.slotKey(slot), e.getMessage()));
    }
  }
}
