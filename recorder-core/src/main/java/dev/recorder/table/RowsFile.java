package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of a table that is being written. For one thread. */
final class RowsFile {
  private final TableColumns columns;
  private final FileFormat.RowFile file;
  private final TypedValues typed;
  private final @Nullable LocalDate day;
  private final LineFields fields = new LineFields();
  private final RowSum sum = new RowSum();
  private long rows;
  private long firstSlot = Long.MAX_VALUE;
  private long lastSlot;
  private long firstId = Long.MAX_VALUE;
  private long lastId = Long.MIN_VALUE;
  private long slotBytes;

  /**
   * Creates a file without rows.
   *
   * @param day the day of its rows; null if the table is not divided by day
   */
  RowsFile(FileFormat format, TableColumns columns, @Nullable LocalDate day) {
    this.columns = columns;
    this.file = format.begin(columns);
    this.typed = new TypedValues(columns);
    this.day = day;
  }

  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Finished(TableFile file, byte[] bytes, long misfits) {}

  /**
   * Returns the day in UTC to which the rows of a slot belong: the day on which they were read,
   * which the slot's object states. If it does not, the day of the first row's transaction.
   */
  static LocalDate day(LogSlot slot) {
    Instant readAt =
        slot.readAt()
            .orElseGet(
                () -> {
                  LineFields first = new LineFields();
                  slot.iterator().next().read(first);
                  return Instant.EPOCH.plus(first.timeMicros(), ChronoUnit.MICROS);
                });
    return LocalDate.ofInstant(readAt, ZoneOffset.UTC);
  }

  /** Adds all rows of a slot. */
  void add(LogSlot slot) {
    for (LogRow line : slot) {
      line.read(fields);
      add(row(slot.slot(), fields, typed.of(fields.payload())));
    }
    slotBytes += slot.bytes();
  }

  /** Adds a row of a slot whose payload was parsed. */
  void add(long slot, LineFields line, JsonNode payload) {
    add(row(slot, line, typed.of(payload)));
  }

  /** Returns a line of a slot as a row. */
  static TableRow row(long slot, LineFields line, List<@Nullable Object> typed) {
    return new TableRow(
        line.id(), line.xid(), line.timeMicros(), line.key(), line.payload(), slot, typed);
  }

  /** Adds a row unchanged. */
  void add(TableRow row) {
    file.add(row);
    sum.add(row);
    rows++;
    firstSlot = Math.min(firstSlot, row.slot());
    lastSlot = Math.max(lastSlot, row.slot());
    firstId = Math.min(firstId, row.id());
    lastId = Math.max(lastId, row.id());
  }

  /** Returns the size in bytes of the slots in this file, as in the log. */
  long slotBytes() {
    return slotBytes;
  }

  /** Returns the approximate number of bytes used in the heap. */
  long bytes() {
    return file.bytes();
  }

  TableColumns columns() {
    return columns;
  }

  Finished finish() {
    byte[] bytes = file.finish();
    // The name has the hash of the bytes. If two hosts make different bytes of the same slots, as
    // with different versions of a library, they write two files.
    String path =
        (day == null ? "" : columns.day() + "=" + day + "/")
            + TableLayout.digits(firstSlot)
            + "-"
            + TableLayout.digits(lastSlot)
            + "-"
            + TableLayout.hash(bytes)
            + ".parquet";
    return new Finished(
        new TableFile(
            path, day, bytes.length, rows, firstSlot, lastSlot, firstId, lastId, sum.toString()),
        bytes,
        typed.misfits());
  }
}
