package dev.recorder.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.handoff.LineFields;
import java.time.LocalDate;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The table with the changes of one captured table. For one thread. */
final class ChangeTable {
  private final TableWriter writer;
  private final TableCommits commits;
  private final Merging merging;
  private final FileFormat format;
  private @Nullable TableColumns columns;
  private @Nullable RowsFile file;
  private long misfits;

  /**
   * Creates a table whose state is not known yet. Sends no request.
   *
   * @param name the captured table's name in changes
   */
  ChangeTable(
      LogAddress log, String name, TableSettings settings, FileFormat format, CommitInfo info) {
    TablePlace place = TablePlace.ofChanges(log, name);
    this.writer = new TableWriter(place, format, info);
    this.commits = new TableCommits(place, name, settings.byDay(), info);
    this.merging = new Merging(place.layout(), settings, format, info);
    this.format = format;
  }

  /** Forgets the file and its columns. */
  void begin() {
    file = null;
    columns = null;
  }

  /**
   * Adds the columns of a captured table to those of the next file.
   *
   * @param schema {@code columns} of a change {@code schema}
   */
  void define(JsonNode schema) throws TableException {
    columns = columns().withCaptured(schema);
  }

  private TableColumns columns() throws TableException {
    if (columns != null) {
      return columns;
    }
    DeltaState state = writer.latest();
    try {
      return state.isThere() ? state.columns() : TableColumns.CHANGES;
    } catch (IllegalArgumentException others) {
      throw new TableException(
          "table %s: %s".formatted(commits.place().layout().root(), others.getMessage()));
    }
  }

  /** Adds a change, unless the table has changes of this slot. */
  void add(long slot, @Nullable LocalDate day, LineFields line, JsonNode change)
      throws TableException {
    if (columns == null) {
      columns = columns();
    }
    if (slot <= writer.state().covered()) {
      return;
    }
    RowsFile open = file;
    if (open == null) {
      open = new RowsFile(format, columns, day);
      file = open;
    }
    open.add(slot, line, change);
  }

  /** Returns the approximate number of bytes of the heap that the file takes. */
  long bytes() {
    return file == null ? 0 : file.bytes();
  }

  /**
   * Commits the file, if there is one. Returns false if another host has written changes since the
   * file was begun.
   */
  boolean commit() throws TableException {
    RowsFile rows = file;
    if (rows == null) {
      return true;
    }
    file = null;
    RowsFile.Finished finished = rows.finish();
    if (!writer.state().isThere()) {
      writer.commit(
          state ->
              state.isThere()
                  ? Optional.empty()
                  : Optional.of(
                      commits.creation(TableColumns.CHANGES, finished.file().firstSlot() - 1)));
    }
    // Who writes an earlier change also writes those of this file: nothing else can be new.
    boolean appended =
        writer.commit(
            state ->
                state.covered() < finished.file().firstSlot()
                    ? Optional.of(commits.append(state, rows.columns(), finished))
                    : Optional.empty());
    if (appended) {
      misfits += finished.misfits();
    }
    return appended;
  }

  void merge(BooleanSupplier goesOn) throws TableException {
    merging.all(writer, goesOn);
  }

  /** Returns the number of values that did not fit their columns. */
  long misfits() {
    return misfits;
  }
}
