package dev.recorder.slotlog;

/**
 * The limits at which a slot is full.
 *
 * @param rows most rows in an object
 * @param bytes most bytes of uncompressed content, exceeded only by a single larger row
 */
public record Rotation(int rows, long bytes) {
  public static final Rotation DEFAULT = new Rotation(50_000, 8L << 20);

  public Rotation {
    if (rows < 1 || bytes < 1) {
      throw new IllegalArgumentException("rotation at " + rows + " rows, " + bytes + " bytes");
    }
  }

  /** Returns how many more rows should fill a slot with this content; at least one. */
  public long missing(int heldRows, long heldBytes) {
    long line = Math.max(1, heldBytes / Math.max(1, heldRows));
    return Math.max(1, Math.min(rows - heldRows, (bytes - heldBytes) / line) + 1);
  }
}
