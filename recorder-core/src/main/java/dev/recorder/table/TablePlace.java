package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.store.ObjectStore;
import java.util.UUID;

/**
 * A table's place in a bucket, and its id.
 *
 * @param id {@code id} of the table's metadata and {@code appId} of its transactions
 */
record TablePlace(ObjectStore bucket, TableLayout layout, UUID id) {

  /** Returns the place of a log's own table. */
  static TablePlace of(LogAddress log) {
    return new TablePlace(log.bucket(), TableLayout.of(log.layout()), log.uuid());
  }

  /**
   * Returns the place of the changes of a captured table.
   *
   * @param table the table's name in changes
   */
  static TablePlace ofChanges(LogAddress log, String table) {
    UUID id = UUID.nameUUIDFromBytes((log.uuid() + "/" + table).getBytes(UTF_8));
    return new TablePlace(log.bucket(), TableLayout.ofChanges(log.layout(), table), id);
  }
}
