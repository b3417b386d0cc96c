package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.reader.LogSlot;
import dev.recorder.time.WallClock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next commit that appends slots: the creation of the table, or one file with whole slots
 * of one day. For one thread.
 */
final class Appending {
  private final TableLayout layout;
  private final UUID log;
  private final TableSettings settings;
  private final FileFormat format;
  private final CommitInfo info;
  private final WallClock clock;
  private long misfits;
  private long skipped;

  Appending(
      TableLayout layout, UUID log, TableSettings settings, FileFormat format, CommitInfo info) {
    this.layout = layout;
    this.log = log;
    this.settings = settings;
    this.format = format;
    this.info = info;
    this.clock = info.clock();
  }

  /** Returns the number of values in all proposals that did not fit their columns. */
  long misfits() {
    return misfits;
  }

  /** Returns the number of slots that had expired in the log before the table had them. */
  long skipped() {
    return skipped;
  }

  /**
   * Returns the commit that follows {@code state}; empty if the table has all settled slots.
   *
   * @param first the first slot that the log still has
   * @param room tests whether this many bytes of the heap may be used in total
   * @throws IllegalArgumentException if the table does not match the settings
   */
  Optional<Proposal> next(DeltaState state, long first, SlotFeed feed, LongPredicate room) {
    if (!state.isThere()) {
      return Optional.of(creation(first));
    } else if (state.isByDay() != settings.byDay()) {
      throw new IllegalArgumentException(
          "table_partition cannot be changed: the table is %sdivided by day"
              .formatted(state.isByDay() ? "" : "not "));
    }
    long from = state.covered() + 1;
    if (from < first) {
      skipped += first - from;
      return Optional.of(
          new Proposal(Map.of(), List.of(info.skip(from, first - 1), transaction(first - 1))));
    }
    TableColumns columns = state.columns().with(settings.columns());
    RowsFile file = fill(from, columns, feed, room);
    return file == null ? Optional.empty() : Optional.of(append(state, columns, file));
  }

  private @Nullable RowsFile fill(
      long from, TableColumns columns, SlotFeed feed, LongPredicate room) {
    LogSlot slot = feed.get(from);
    if (slot == null) {
      return null;
    }
    LocalDate day = day(slot);
    RowsFile file = new RowsFile(format, columns, day);
    do {
      file.add(slot);
      slot = feed.get(slot.slot() + 1);
    } while (slot != null
        && Objects.equals(day, day(slot))
        && file.slotBytes() + slot.bytes() <= settings.bytes()
        && room.test(file.bytes() + 2L * slot.bytes()));
    return file;
  }

  private @Nullable LocalDate day(LogSlot slot) {
    return settings.byDay() ? RowsFile.day(slot) : null;
  }

  private Proposal append(DeltaState state, TableColumns columns, RowsFile rows) {
    RowsFile.Finished finished = rows.finish();
    misfits += finished.misfits();
    TableFile file = finished.file();
    List<ObjectNode> actions = new ArrayList<>();
    actions.add(info.write(file, finished.misfits()));
    if (!columns.equals(state.columns())) {
      ObjectNode metaData = state.metaData().deepCopy();
      metaData.put("schemaString", columns.schema(settings.byDay()));
      actions.add(DeltaJson.object().set("metaData", metaData));
    }
    actions.add(transaction(file.lastSlot()));
    actions.add(file.add(clock.millis(), true));
    return new Proposal(Map.of(layout.fileKey(file.path()), finished.bytes()), actions);
  }

  private Proposal creation(long first) {
    ObjectNode protocol = DeltaJson.object();
    protocol.put("minReaderVersion", 1).put("minWriterVersion", 2);
    ObjectNode metaData = DeltaJson.object();
    metaData.put("id", log.toString());
    metaData.putObject("format").put("provider", "parquet").putObject("options");
    metaData.put("schemaString", settings.columns().schema(settings.byDay()));
    ArrayNode partition = metaData.putArray("partitionColumns");
    if (settings.byDay()) {
      partition.add(TableColumns.DAY);
    }
    metaData
        .putObject("configuration")
        .put("delta.appendOnly", "true")
        .put("delta.checkpointInterval", Integer.toString(LogTable.CHECKPOINT_EVERY))
        // A host that was frozen for weeks must not mistake a deleted commit for the table's end.
        .put("delta.enableExpiredLogCleanup", "false");
    metaData.put("createdTime", clock.millis());
    return new Proposal(
        Map.of(),
        List.of(
            info.create(),
            DeltaJson.object().set("protocol", protocol),
            DeltaJson.object().set("metaData", metaData),
            transaction(first - 1)));
  }

  private ObjectNode transaction(long last) {
    ObjectNode txn = DeltaJson.object();
    txn.put("appId", log.toString()).put("version", last).put("lastUpdated", clock.millis());
    return DeltaJson.object().set("txn", txn);
  }
}
