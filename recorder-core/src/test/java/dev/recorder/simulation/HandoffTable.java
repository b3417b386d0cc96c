package dev.recorder.simulation;

import java.util.SortedMap;
import java.util.TreeMap;

/** One recorder's hand-off table with what is excluded from it. */
final class HandoffTable {
  /** Committed rows. */
  final TreeMap<RowId, StoredRow> rows;

  /** Rows that are in the log although no settled window covers them. */
  final TreeMap<RowId, Long> exclusions;

  long nextId;

  HandoffTable() {
    this(new TreeMap<>(), new TreeMap<>(), 1);
  }

  private HandoffTable(
      SortedMap<RowId, StoredRow> rows, SortedMap<RowId, Long> exclusions, long nextId) {
    this.rows = new TreeMap<>(rows);
    this.exclusions = new TreeMap<>(exclusions);
    this.nextId = nextId;
  }

  HandoffTable copy() {
    return new HandoffTable(rows, exclusions, nextId);
  }
}
