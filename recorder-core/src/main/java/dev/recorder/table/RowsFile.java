package dev.recorder.table;

import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import dev.recorder.slotlog.SlotContentBuilder;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A file of a table that is being made. For one thread. */
final class RowsFile {
  private static final int HASH_LENGTH = 32;

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
   * No rows yet.
   *
   * @param day null if the table is not divided
   */
  RowsFile(FileFormat format, TableColumns columns, @Nullable LocalDate day) {
    this.file = format.begin(columns);
    this.typed = new TypedValues(columns);
    this.day = day;
  }

  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record Finished(TableFile file, byte[] bytes, long misfits) {}

  /**
   * The day to which the rows of a slot belong: UTC's, when they were read, which the slot says for
   * good; or that of its first row's transaction, if it does not.
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
      add(
          new TableRow(
              fields.id(),
              fields.xid(),
              fields.timeMicros(),
              fields.key(),
              fields.payload(),
              slot.slot(),
              typed.of(fields.payload())));
    }
    slotBytes += slot.bytes();
  }

  /** Adds a row as it is. */
  void add(TableRow row) {
    file.add(row);
    sum.add(row);
    rows++;
    firstSlot = Math.min(firstSlot, row.slot());
    lastSlot = Math.max(lastSlot, row.slot());
    firstId = Math.min(firstId, row.id());
    lastId = Math.max(lastId, row.id());
  }

  /** Of the slots in it, as the log has them. */
  long slotBytes() {
    return slotBytes;
  }

  /** What it takes of the heap, about. */
  long bytes() {
    return file.bytes();
  }

  long lastSlot() {
    return lastSlot;
  }

  Finished finish() {
    byte[] bytes = file.finish();
    String hash =
        HexFormat.of()
            .formatHex(SlotContentBuilder.sha256().digest(bytes))
            .substring(0, HASH_LENGTH);
    // The name has the bytes' hash: two hosts that make other bytes of the same slots, as by
    // another
    // version of a library, make two files.
    String path =
        (day == null ? "" : TableColumns.DAY + "=" + day + "/")
            + TableLayout.digits(firstSlot)
            + "-"
            + TableLayout.digits(lastSlot)
            + "-"
            + hash
            + ".parquet";
    return new Finished(
        new TableFile(
            path, day, bytes.length, rows, firstSlot, lastSlot, firstId, lastId, sum.toString()),
        bytes,
        typed.misfits());
  }
}
