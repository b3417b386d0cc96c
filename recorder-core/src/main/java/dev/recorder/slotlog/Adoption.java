package dev.recorder.slotlog;

/**
 * How an adopted slot was settled.
 *
 * @param byIdentity false: by the window of its row in {@code slots}. True: this database has no
 *     such row, so it has lost history; each of the object's lines was compared with the row it
 *     names
 * @param rowsInObject rows the object holds
 * @param rowsMatched rows of this database that are in the object
 */
public record Adoption(boolean byIdentity, int rowsInObject, int rowsMatched) {
  public static Adoption byWindow(int rows) {
    return new Adoption(false, rows, rows);
  }
}
