package dev.recorder.slotlog;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RawRow;
import dev.recorder.handoff.Window;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.ByteQueue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Packs rows, offered in the order (xid, id), into one slot's content, until the slot is full or
 * the memory for contents is used up. Holds the compressed bytes and a few hundred kilobytes of
 * lines, never the rows. Allocates nothing before the first row, since most reads find none. Not
 * thread-safe.
 */
public final class SlotContentBuilder implements AutoCloseable {
  private final Rotation rotation;
  private final Compression compression;
  private final MemoryBudget.Share share;
  private final ByteQueue.Threads packing;
  private final LineEncoder encoder = new LineEncoder();
  private @Nullable Packer packer;
  private int rows;
  private long bytes;
  private long firstXid;
  private long firstId;
  private long lastXid;
  private long lastId;

  /** Makes a builder without a limit of memory. */
  public SlotContentBuilder(Rotation rotation, Compression compression) {
    this(rotation, compression, MemoryBudget.unlimited().share(), ByteQueue.Threads.NONE);
  }

  /**
   * Makes a builder that keeps to a share of memory. The caller releases the share.
   *
   * @param share grows with the content
   * @param packing the threads that hash and compress lines while the next are offered
   */
  public SlotContentBuilder(
      Rotation rotation,
      Compression compression,
      MemoryBudget.Share share,
      ByteQueue.Threads packing) {
    this.rotation = rotation;
    this.compression = compression;
    this.share = share;
    this.packing = packing;
  }

  /**
   * Returns whether a row of this size may still be taken. A slot takes at least one row of any
   * size, if there is memory for it.
   *
   * @param rowBytes bytes of key and payload
   */
  public boolean hasRoomFor(long rowBytes) {
    boolean fits = rows == 0 || bytes + rowBytes <= rotation.bytes();
    // While the content is copied into one array, it needs twice its memory.
    return fits && share.growTo(2 * packedBytes() + MemoryBudget.needOf(rowBytes));
  }

  private long packedBytes() {
    return packer == null ? 0 : packer.size();
  }

  /** As {@link #offer(RawRow)}. */
  public boolean offer(HandoffRow row) {
    return offer(RawRow.of(row));
  }

  /**
   * Takes {@code row}, unless the slot is full or there is no memory for it.
   *
   * @param row the builder may change its bytes
   * @return whether the row was taken
   */
  public boolean offer(RawRow row) {
    int head = encoder.encodeHead(row);
    long line = (long) head + row.payloadLength() + LineEncoder.END.length;
    boolean full = rows > 0 && (rows >= rotation.rows() || bytes + line > rotation.bytes());
    if (full || !hasRoomFor(line)) {
      return false;
    }
    checkOrder(row);
    Packer lines = packer();
    lines.append(encoder.head(), 0, head);
    LineEncoder.oneLine(row);
    lines.append(row.data(), row.payloadAt(), row.payloadLength());
    lines.append(LineEncoder.END, 0, LineEncoder.END.length);
    bytes += line;
    rows++;
    return true;
  }

  private Packer packer() {
    Packer made = packer;
    if (made == null) {
      made = new Packer(compression, packing);
      packer = made;
    }
    return made;
  }

  private void checkOrder(RawRow row) {
    if (rows == 0) {
      firstXid = row.xid();
      firstId = row.id();
    } else if (row.xid() < lastXid || (row.xid() == lastXid && row.id() <= lastId)) {
      throw new IllegalStateException("row " + row.id() + " of xid " + row.xid() + " out of order");
    }
    lastXid = row.xid();
    lastId = row.id();
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /** Rows taken so far. */
  public int rows() {
    return rows;
  }

  /** Uncompressed bytes so far. */
  public long bytes() {
    return bytes;
  }

  /**
   * Ends the content. The builder cannot be used afterwards.
   *
   * @param origin where the rows were read
   * @param readAt when the rows were read, by the database's clock, at or after the end of the
   *     window
   * @param window the window of the rows
   */
  public SlotContent build(long slot, SlotContent.Origin origin, Instant readAt, Window window) {
    Packer lines = packer();
    byte[] body = lines.end();
    share.shrinkTo(body.length);
    return new SlotContent(
        slot,
        origin,
        readAt,
        window,
        new SlotContent.Extent(rows, firstXid, firstId, lastXid, lastId),
        lines.sha256(),
        body,
        bytes,
        !window.complete());
  }

  /** Frees the packer's memory outside of the heap. */
  @Override
  public void close() {
    if (packer != null) {
      packer.close();
    }
  }

  /** Returns a new SHA-256, which every JVM has. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
