package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.handoff.LineFields;
import dev.recorder.reader.LogReadException;
import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a table has the rows of its log: each row of the covered slots is in exactly one
 * file. Holds one file and one slot in memory at a time. Reads only. For one thread.
 */
public final class TableProof {
  private static final int MOST_FINDINGS = 100;

  private final LogAddress log;
  private final FileFormat format;
  private final TableReading reading;
  private final TableLayout layout;
  private final List<String> findings = new ArrayList<>();
  private long more;

  /** Creates a proof without reading anything. */
  public TableProof(LogAddress log, FileFormat format) {
    this.log = log;
    this.format = format;
    this.reading = new TableReading(log, format);
    this.layout = TableLayout.of(log.layout());
  }

  /**
   * The result of the proof.
   *
   * @param covered the last slot that the table covers
   * @param rows number of rows in its files
   * @param files number of its files
   * @param findings the first faults, one sentence each
   * @param more number of further faults
   */
  public record TableVerdict(
      long version, long covered, long rows, long files, List<String> findings, long more) {
    public TableVerdict {
      findings = List.copyOf(findings);
    }
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
      return other != null && rows == other.rows && sum.toString().equals(other.sum.toString());
    }
  }

  /** Returns the last slot that the table covers; empty if there is no table. */
  public Optional<Long> covered() throws TableException {
    DeltaState state = reading.latest();
    return state.isThere() ? Optional.of(state.covered()) : Optional.empty();
  }

  /**
   * Compares the table with the log.
   *
   * @param first the first slot that the log still has; rows of earlier slots are compared only
   *     with number and sum in their file's commit
   * @return empty if there is no table
   * @throws TableException if the table cannot be read
   * @throws LogReadException if the log cannot be read
   */
  public Optional<TableVerdict> run(long first) throws TableException {
    DeltaState state = reading.latest();
    if (!state.isThere()) {
      return Optional.empty();
    } else if (!state.obstacle().isEmpty()) {
      throw reading.refused(state.obstacle());
    }
    List<TableFile> files = new ArrayList<>();
    for (ObjectNode add : state.files()) {
      Optional<TableFile> file = TableFile.of(add);
      file.ifPresentOrElse(
          files::add,
          () ->
              fault("file %s was not written by a recorder".formatted(add.path("path").asText())));
    }
    files.sort(Comparator.comparingLong(TableFile::firstSlot));
    order(files, first, state.covered());
    long rows = 0;
    try (LogFeed feed = new LogFeed(log, state.covered())) {
      for (TableFile file : files) {
        rows += compare(file, columns(state), first, feed);
      }
    }
    return Optional.of(
        new TableVerdict(state.version(), state.covered(), rows, files.size(), findings, more));
  }

  private TableColumns columns(DeltaState state) throws TableException {
    try {
      return state.columns();
    } catch (IllegalArgumentException others) {
      throw reading.refused(String.valueOf(others.getMessage()));
    }
  }

  /**
   * Checks that each slot is in one file. Slots that had expired before the table had them are in
   * no file.
   */
  private void order(List<TableFile> files, long first, long covered) {
    long next = 1;
    for (TableFile file : files) {
      if (file.firstSlot() < next) {
        fault(
            "slots %d to %d are in more than one file, such as %s"
                .formatted(file.firstSlot(), Math.min(next - 1, file.lastSlot()), file.path()));
      } else if (file.firstSlot() > Math.max(next, first)) {
        absent(Math.max(next, first), file.firstSlot() - 1);
      }
      next = Math.max(next, file.lastSlot() + 1);
    }
    if (Math.max(next, first) <= covered) {
      absent(Math.max(next, first), covered);
    } else if (next - 1 > covered) {
      fault("files have slots up to %d, the table says %d".formatted(next - 1, covered));
    }
  }

  private void absent(long from, long to) {
    fault("slots %d to %d are in no file of the table".formatted(from, to));
  }

  /** Compares a file with its commit and its slots. Returns the number of its rows. */
  private long compare(TableFile file, TableColumns columns, long first, LogFeed feed)
      throws TableException {
    byte[] bytes = reading.get(layout.fileKey(file.path()));
    if (bytes == null) {
      fault("file %s is missing".formatted(file.path()));
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
      fault("file %s is damaged: %s".formatted(file.path(), damaged.getMessage()));
      return rows[0];
    }
    if (rows[0] != file.rows() || !sum.toString().equals(file.sum())) {
      fault(
          "file %s has %d rows, and not the %d that its commit says, or others"
              .formatted(file.path(), rows[0], file.rows()));
    }
    for (long slot = Math.max(first, file.firstSlot()); slot <= file.lastSlot(); slot++) {
      RowsOfSlot recorded = recorded(feed.get(slot));
      if (!recorded.hasThoseOf(found.remove(slot))) {
        fault("file %s has not the rows of slot %d".formatted(file.path(), slot));
      }
    }
    found.keySet().removeIf(slot -> slot >= file.firstSlot() && slot < first);
    found
        .keySet()
        .forEach(slot -> fault("file %s has rows of slot %d".formatted(file.path(), slot)));
    return rows[0];
  }

  private static RowsOfSlot recorded(@Nullable LogSlot slot) {
    RowsOfSlot rows = new RowsOfSlot();
    LineFields fields = new LineFields();
    if (slot != null) {
      for (LogRow line : slot) {
        line.read(fields);
        rows.add(
            new TableRow(
                fields.id(),
                fields.xid(),
                fields.timeMicros(),
                fields.key(),
                fields.payload(),
                slot.slot(),
                List.of()));
      }
    }
    return rows;
  }

  private void fault(String what) {
    if (findings.size() < MOST_FINDINGS) {
      findings.add("table: " + what);
    } else {
      more++;
    }
  }
}
