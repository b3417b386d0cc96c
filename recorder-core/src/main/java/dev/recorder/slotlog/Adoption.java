package dev.recorder.slotlog;

/**
 * How an adopted slot was settled.
 *
 * @param byIdentity false: settled by the window of its row in {@code slots}. True: this database
 *     has no such row, so it has lost history, and each line of the object was compared with the
 *     row that it names
 * @param rowsInObject number of rows in the object
 * @param rowsMatched number of this database's rows that are in the object
 */
public record Adoption(boolean byIdentity, int rowsInObject, int rowsMatched) {
  public static Adoption byWindow(int rows) {
    return new Adoption(false, rows, rows);
  }
}
