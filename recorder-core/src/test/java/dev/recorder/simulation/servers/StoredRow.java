package dev.recorder.simulation.servers;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import java.nio.charset.StandardCharsets;

/** A row of a hand-off table, with the line it is recorded as. */
public record StoredRow(HandoffRow row, String line) {
  static StoredRow of(HandoffRow row) {
    return new StoredRow(row, new String(new LineEncoder().encode(row), StandardCharsets.UTF_8));
  }

  public RowId place() {
    return RowId.of(row);
  }
}
