package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Window;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content of one slot. It is built once, and the same bytes are sent again until the outcome is
 * clear.
 *
 * @param origin where the rows were read
 * @param readAt when the rows were read, by the database's clock; all rows of the window were
 *     committed before
 * @param body the object's bytes, compressed
 * @param bytes length of the uncompressed content
 * @param more whether rows were left over because the slot was full
 */
@SuppressWarnings("ArrayRecordComponent") // identity is the sha256, the bytes are a payload
public record SlotContent(
    long slot,
    Origin origin,
    Instant readAt,
    Window window,
    Extent extent,
    String sha256,
    byte[] body,
    long bytes,
    boolean more) {

  /**
   * Returns the same content with the window under which it was planned before, if there is one.
   */
  SlotContent under(@Nullable Window earlier) {
    return earlier == null
        ? this
        : new SlotContent(slot, origin, readAt, earlier, extent, sha256, body, bytes, more);
  }

  /**
   * Returns whether the object is this slot, whichever host put it. It is false for the same rows
   * of a later timeline, which the ledger then refuses. It is false for the same rows after other
   * earlier slots, so that the difference is reported.
   */
  boolean isIn(ObjectMetadata object, LogChain chain) {
    return object.sha256().equals(sha256)
        && object.chain().equals(chain)
        && !origin.database().isBefore(object.database());
  }

  /** Returns the position after this slot is settled. */
  public Position after() {
    return window.after(extent.lastXid(), extent.lastId());
  }

  /**
   * The session and database where rows were read.
   *
   * @param session name of the database session; a plan is only valid on that session, since
   *     another one may reach a database that has lost the rows
   * @param database identity of that session's database
   */
  public record Origin(String session, DatabaseIdentity database) {}

  /** The number of rows, and the first and last row in the order (xid, id). */
  public record Extent(int rows, long firstXid, long firstId, long lastXid, long lastId) {
    public Extent {
      if (rows < 1) {
        throw new IllegalArgumentException("a slot has at least one row");
      }
    }
  }
}
