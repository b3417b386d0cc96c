package dev.recorder.table;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a log's captured tables, each in a table of its own. They get the changes of a
 * range of slots before the log's table gets these slots, so that a table of changes has all
 * changes up to the slot that the log's table covers, or to a later one. For one thread.
 */
final class ChangeTables {
  /** The beginning of a change that defines the columns of a table. */
  private static final ByteBuffer DEFINITION =
      ByteBuffer.wrap((ChangeMark.TEXT + ",\"op\":\"schema\",").getBytes(US_ASCII));

  private final LogAddress log;
  private final TableSettings settings;
  private final FileFormat format;
  private final CommitInfo info;
  private final Map<String, ChangeTable> tables = new TreeMap<>();
  private @Nullable LocalDate day;

  ChangeTables(LogAddress log, TableSettings settings, FileFormat format, CommitInfo info) {
    this.log = log;
    this.settings = settings;
    this.format = format;
    this.info = info;
  }

  /**
   * Returns whether a slot may define new columns. It then has to be the first slot of a file,
   * since the columns of a file are known when it is begun.
   */
  static boolean isDefinedIn(LogSlot slot) {
    LineFields line = new LineFields();
    for (LogRow row : slot) {
      row.read(line);
      if (isDefinition(line.payload())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isDefinition(ByteBuffer payload) {
    int length = DEFINITION.capacity();
    return payload.remaining() >= length
        && payload.slice(payload.position(), length).equals(DEFINITION);
  }

  /**
   * Begins files, with the columns that the first slot defines.
   *
   * @param day the day of all their rows; null if the tables are not divided by day
   */
  void begin(LogSlot first, @Nullable LocalDate day) throws TableException {
    this.day = day;
    tables.values().forEach(ChangeTable::begin);
    LineFields line = new LineFields();
    for (LogRow row : first) {
      row.read(line);
      if (isDefinition(line.payload())) {
        JsonNode change = TypedValues.parsed(line.payload());
        table(change).define(change.path("columns"));
      }
    }
  }

  /** Adds the changes in a slot. */
  void add(LogSlot slot) throws TableException {
    LineFields line = new LineFields();
    for (LogRow row : slot) {
      row.read(line);
      if (ChangeMark.isOn(line.payload())) {
        JsonNode change = TypedValues.parsed(line.payload());
        table(change).add(slot.slot(), day, line, change);
      }
    }
  }

  private ChangeTable table(JsonNode change) {
    return tables.computeIfAbsent(
        change.path("table").asText(), name -> new ChangeTable(log, name, settings, format, info));
  }

  /** Returns the approximate number of bytes of the heap that the files take. */
  long bytes() {
    return tables.values().stream().mapToLong(ChangeTable::bytes).sum();
  }

  /**
   * Commits the files. Returns whether all are committed; if not, another host has written changes
   * of the same slots.
   */
  boolean commit() throws TableException {
    boolean all = true;
    for (ChangeTable table : tables.values()) {
      all &= table.commit();
    }
    return all;
  }

  /** Merges small files of days that are over. */
  void merge(BooleanSupplier goesOn) throws TableException {
    for (ChangeTable table : tables.values()) {
      table.merge(goesOn);
    }
  }

  /** Returns the number of values that did not fit their columns. */
  long misfits() {
    return tables.values().stream().mapToLong(ChangeTable::misfits).sum();
  }
}
