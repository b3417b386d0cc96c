package dev.recorder.slotlog;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.Window;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Packs rows, offered in the order (xid, id), into one slot's content until the rotation says it is
 * full. Holds the compressed bytes and one line at a time, never the rows. Not thread-safe.
 */
public final class SlotContentBuilder {
  private final Rotation rotation;
  private final LineEncoder encoder = new LineEncoder();
  private final MessageDigest digest = sha256();
  private final ByteArrayOutputStream packed = new ByteArrayOutputStream(64 * 1024);
  private final OutputStream packing;
  private int rows;
  private long bytes;
  private long firstXid;
  private long firstId;
  private long lastXid;
  private long lastId;

  public SlotContentBuilder(Rotation rotation, Compression compression) {
    this.rotation = rotation;
    try {
      this.packing = compression.packing(packed);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Takes {@code row} unless the slot is full; a slot takes at least one row, however large.
   *
   * @return whether the row was taken
   */
  public boolean offer(HandoffRow row) {
    byte[] line = encoder.encode(row);
    if (rows > 0 && (rows >= rotation.rows() || bytes + line.length > rotation.bytes())) {
      return false;
    }
    append(line);
    if (rows == 0) {
      firstXid = row.xid();
      firstId = row.id();
    } else if (row.xid() < lastXid || (row.xid() == lastXid && row.id() <= lastId)) {
      throw new IllegalStateException("row " + row.id() + " of xid " + row.xid() + " out of order");
    }
    lastXid = row.xid();
    lastId = row.id();
    rows++;
    return true;
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /**
   * Ends the content. The builder cannot be used afterwards.
   *
   * @param window the window the rows came from
   */
  public SlotContent build(long slot, String session, Window window) {
    try {
      packing.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new SlotContent(
        slot,
        session,
        window,
        new SlotContent.Extent(rows, firstXid, firstId, lastXid, lastId),
        HexFormat.of().formatHex(digest.digest()),
        packed.toByteArray(),
        bytes,
        !window.complete());
  }

  private void append(byte[] line) {
    try {
      packing.write(line);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    digest.update(line);
    bytes += line.length;
  }

  /** A new SHA-256, which every JVM has. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
