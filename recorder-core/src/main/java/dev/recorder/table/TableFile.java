package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file of a table, with the facts that its commit states.
 *
 * @param path the path within the table's folder
 * @param day the day of its rows; null if the table is not divided by day
 * @param size the size in bytes
 * @param firstSlot the first slot; a file has all rows of each of its slots
 * @param lastSlot the last slot
 * @param sum the sum of its rows ({@link RowSum})
 */
record TableFile(
    String path,
    @Nullable LocalDate day,
    long size,
    long rows,
    long firstSlot,
    long lastSlot,
    long firstId,
    long lastId,
    String sum) {
  private static final String FIRST_SLOT = "recorder.first-slot";
  private static final String LAST_SLOT = "recorder.last-slot";
  private static final String SUM = "recorder.rows";

  /** Returns the action that adds the file to a table with these columns. */
  ObjectNode add(TableColumns columns, long millis, boolean dataChange) {
    ObjectNode add = DeltaJson.object();
    add.put("path", path);
    ObjectNode partition = add.putObject("partitionValues");
    if (day != null) {
      partition.put(columns.day(), day.toString());
    }
    add.put("size", size).put("modificationTime", millis).put("dataChange", dataChange);
    ObjectNode stats = DeltaJson.object().put("numRecords", rows);
    String prefix = columns.prefix();
    stats.putObject("minValues").put(prefix + "id", firstId).put(prefix + "slot", firstSlot);
    stats.putObject("maxValues").put(prefix + "id", lastId).put(prefix + "slot", lastSlot);
    add.put("stats", stats.toString());
    add.putObject("tags")
        .put(FIRST_SLOT, Long.toString(firstSlot))
        .put(LAST_SLOT, Long.toString(lastSlot))
        .put(SUM, sum);
    return DeltaJson.object().set("add", add);
  }

  /** Returns the action that removes the file from the table, since another file has its rows. */
  ObjectNode remove(TableColumns columns, long millis) {
    ObjectNode remove = DeltaJson.object();
    remove.put("path", path).put("deletionTimestamp", millis).put("dataChange", false);
    remove.put("extendedFileMetadata", true);
    ObjectNode partition = remove.putObject("partitionValues");
    if (day != null) {
      partition.put(columns.day(), day.toString());
    }
    remove.put("size", size);
    return DeltaJson.object().set("remove", remove);
  }

  /**
   * Returns the file of an {@code add} action; empty if no recorder wrote the file.
   *
   * @param columns the columns of the table
   */
  static Optional<TableFile> of(TableColumns columns, JsonNode add) {
    try {
      JsonNode tags = add.path("tags");
      JsonNode stats = DeltaJson.parse(add.path("stats").asText());
      JsonNode day = add.path("partitionValues").path(columns.day());
      return Optional.of(
          new TableFile(
              add.path("path").asText(),
              day.isTextual() ? LocalDate.parse(day.asText()) : null,
              add.path("size").asLong(),
              stats.path("numRecords").asLong(),
              Long.parseLong(tags.path(FIRST_SLOT).asText()),
              Long.parseLong(tags.path(LAST_SLOT).asText()),
              stats.path("minValues").path(columns.prefix() + "id").asLong(),
              stats.path("maxValues").path(columns.prefix() + "id").asLong(),
              tags.path(SUM).asText()));
    } catch (IllegalArgumentException | java.time.DateTimeException anothers) {
      return Optional.empty();
    }
  }
}
