package dev.recorder.table;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Proves that the files of one table have the rows of the log that belong to it: each in exactly
 * one file, with its slot. For one thread.
 */
final class FileProof {
  private final LogAddress log;
  private final FileFormat format;
  private final TableReading reading;
  private final TableLayout layout;
  private final Predicate<LineFields> belongs;
  private final boolean hasAllSlots;
  private final Consumer<String> faults;
  private final Set<String> captured = new TreeSet<>();

  private FileProof(
      LogAddress log,
      FileFormat format,
      TablePlace place,
      Predicate<LineFields> belongs,
      Consumer<String> faults) {
    this.log = log;
    this.format = format;
    this.reading = new TableReading(place, format);
    this.layout = place.layout();
    this.belongs = belongs;
    this.hasAllSlots = place.id().equals(log.uuid());
    this.faults = faults;
  }

  /** Creates a proof of a log's own table, which has all rows. */
  static FileProof ofLog(LogAddress log, FileFormat format, Consumer<String> faults) {
    return new FileProof(log, format, TablePlace.of(log), line -> true, faults);
  }

  /** Creates a proof of the table that has the changes of one captured table. */
  static FileProof ofChanges(
      LogAddress log, FileFormat format, String table, Consumer<String> faults) {
    return new FileProof(
        log,
        format,
        TablePlace.ofChanges(log, table),
        line -> table.equals(capturedTable(line.payload())),
        faults);
  }

  /** Returns the captured tables with changes in the slots that were read. */
  Set<String> captured() {
    return captured;
  }

  /** Number and sum of the rows of a slot, in the log or in the table. */
  private static final class RowsOfSlot {
    private final RowSum sum = new RowSum();
    private long rows;

    private void add(TableRow row) {
      sum.add(row);
      rows++;
    }

    private boolean hasThoseOf(@Nullable RowsOfSlot other) {
      return other == null
          ? rows == 0
          : rows == other.rows && sum.toString().equals(other.sum.toString());
    }
  }

  /**
   * Compares files and slots. Returns the number of rows in the files.
   *
   * @param first the first slot that the log still has
   * @param covered the last slot whose rows the table must have
   */
  long run(DeltaState state, long first, long covered) throws TableException {
    if (!state.obstacle().isEmpty()) {
      throw reading.refused(state.obstacle());
    }
    TableColumns columns = columns(state);
    List<TableFile> files = files(state, columns);
    if (hasAllSlots) {
      noGaps(files, first, covered);
    }
    long rows = 0;
    long next = first;
    try (LogFeed feed = new LogFeed(log, covered)) {
      for (TableFile file : files) {
        noRows(next, file.firstSlot() - 1, feed);
        rows += compare(file, columns, first, feed);
        next = Math.max(next, file.lastSlot() + 1);
      }
      noRows(next, covered, feed);
    }
    return rows;
  }

  private TableColumns columns(DeltaState state) throws TableException {
    try {
      return state.columns();
    } catch (IllegalArgumentException others) {
      throw reading.refused(String.valueOf(others.getMessage()));
    }
  }

  /** Returns the files in the order of their slots; no slot may be in two. */
  private List<TableFile> files(DeltaState state, TableColumns columns) {
    List<TableFile> files = new ArrayList<>();
    for (ObjectNode add : state.files()) {
      Optional<TableFile> file = TableFile.of(columns, add);
      file.ifPresentOrElse(
          files::add,
          () ->
              faults.accept(
                  "file %s was not written by a recorder".formatted(add.path("path").asText())));
    }
    files.sort(Comparator.comparingLong(TableFile::firstSlot));
    long next = 1;
    for (TableFile file : files) {
      if (file.firstSlot() < next) {
        faults.accept(
            "slots %d to %d are in more than one file, such as %s"
                .formatted(file.firstSlot(), Math.min(next - 1, file.lastSlot()), file.path()));
      }
      next = Math.max(next, file.lastSlot() + 1);
    }
    return files;
  }

  /**
   * Checks that each slot is in a file. Slots that had expired before the table had them are in no
   * file.
   */
  private void noGaps(List<TableFile> files, long first, long covered) {
    long next = 1;
    for (TableFile file : files) {
      if (file.firstSlot() > Math.max(next, first)) {
        absent(Math.max(next, first), file.firstSlot() - 1);
      }
      next = Math.max(next, file.lastSlot() + 1);
    }
    if (Math.max(next, first) <= covered) {
      absent(Math.max(next, first), covered);
    } else if (next - 1 > covered) {
      faults.accept("files have slots up to %d, the table says %d".formatted(next - 1, covered));
    }
  }

  private void absent(long from, long to) {
    faults.accept("slots %d to %d are in no file of the table".formatted(from, to));
  }

  /** Checks that slots between files have no row that belongs to the table. */
  private void noRows(long from, long to, LogFeed feed) {
    for (long slot = from; slot <= to && !hasAllSlots; slot++) {
      if (recorded(feed.get(slot)).rows > 0) {
        faults.accept("changes of slot %d are in no file".formatted(slot));
      }
    }
  }

  /** Compares a file with its commit and its slots. Returns the number of its rows. */
  private long compare(TableFile file, TableColumns columns, long first, LogFeed feed)
      throws TableException {
    byte[] bytes = reading.get(layout.fileKey(file.path()));
    if (bytes == null) {
      faults.accept("file %s is missing".formatted(file.path()));
      return 0;
    }
    Map<Long, RowsOfSlot> found = new TreeMap<>();
    RowSum sum = new RowSum();
    long[] rows = {0};
    try {
      format.read(
          bytes,
          columns,
          row -> {
            found.computeIfAbsent(row.slot(), slot -> new RowsOfSlot()).add(row);
            sum.add(row);
            rows[0]++;
          });
    } catch (IllegalArgumentException damaged) {
      faults.accept("file %s is damaged: %s".formatted(file.path(), damaged.getMessage()));
      return rows[0];
    }
    if (rows[0] != file.rows() || !sum.toString().equals(file.sum())) {
      faults.accept(
          "file %s has %d rows, and not the %d that its commit says, or others"
              .formatted(file.path(), rows[0], file.rows()));
    }
    for (long slot = Math.max(first, file.firstSlot()); slot <= file.lastSlot(); slot++) {
      if (!recorded(feed.get(slot)).hasThoseOf(found.remove(slot))) {
        faults.accept("file %s has not the rows of slot %d".formatted(file.path(), slot));
      }
    }
    found.keySet().removeIf(slot -> slot >= file.firstSlot() && slot < first);
    found
        .keySet()
        .forEach(slot -> faults.accept("file %s has rows of slot %d".formatted(file.path(), slot)));
    return rows[0];
  }

  private RowsOfSlot recorded(@Nullable LogSlot slot) {
    RowsOfSlot rows = new RowsOfSlot();
    LineFields line = new LineFields();
    if (slot != null) {
      for (LogRow row : slot) {
        row.read(line);
        if (hasAllSlots && ChangeMark.isOn(line.payload())) {
          captured.add(capturedTable(line.payload()));
        }
        if (belongs.test(line)) {
          rows.add(RowsFile.row(slot.slot(), line, List.of()));
        }
      }
    }
    return rows;
  }

  /** Returns the captured table that a payload names; empty if it is no change. */
  private static String capturedTable(ByteBuffer payload) {
    if (!ChangeMark.isOn(payload)) {
      return "";
    }
    try (JsonParser json =
        DeltaJson.FACTORY.createParser(
            payload.array(), payload.arrayOffset() + payload.position(), payload.remaining())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean names = json.currentName().equals("table");
        json.nextToken();
        if (names) {
          return json.getText();
        }
        json.skipChildren();
      }
      return "";
    } catch (IOException e) {
      throw new IllegalArgumentException("a change is not JSON", e);
    }
  }
}
