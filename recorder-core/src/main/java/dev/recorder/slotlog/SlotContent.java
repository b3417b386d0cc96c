package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Window;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content of one slot: built once, then sent as it is as often as it takes.
 *
 * @param origin where the rows were read
 * @param readAt when, by the database's clock: whatever the window has was committed before
 * @param body the object's bytes, compressed
 * @param bytes length of the uncompressed content
 * @param more whether rows were left behind because the slot was full
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

  /** The same content under the window it was planned with before, if there is one. */
  SlotContent under(@Nullable Window earlier) {
    return earlier == null
        ? this
        : new SlotContent(slot, origin, readAt, earlier, extent, sha256, body, bytes, more);
  }

  /**
   * Whether the object is this slot, whoever put it. The same rows that a later timeline has
   * written are left to the ledger, which refuses them; and those that were written behind other
   * slots than these, so that this is told.
   */
  boolean isIn(ObjectMetadata object, LogChain chain) {
    return object.sha256().equals(sha256)
        && object.chain().equals(chain)
        && !origin.database().isBefore(object.database());
  }

  /** How far the table is recorded once this slot is settled. */
  public Position after() {
    return window.after(extent.lastXid(), extent.lastId());
  }

  /**
   * Where rows were read.
   *
   * @param session names the database session; a plan is only valid on that session, since another
   *     might already talk to a database that has lost them
   * @param database which database that is
   */
  public record Origin(String session, DatabaseIdentity database) {}

  /** Number of rows, and the first and last of them in the order (xid, id). */
  public record Extent(int rows, long firstXid, long firstId, long lastXid, long lastId) {
    public Extent {
      if (rows < 1) {
        throw new IllegalArgumentException("a slot has at least one row");
      }
    }
  }
}
