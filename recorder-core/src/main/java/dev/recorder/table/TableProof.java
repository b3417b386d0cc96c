package dev.recorder.table;

import dev.recorder.reader.LogReadException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Proves that a table has the rows of its log: each row of the covered slots is in exactly one
 * file. Proves the same of the tables of changes. Holds one file and one slot in memory at a time.
 * Reads only. For one thread.
 */
public final class TableProof {
  private static final int MOST_FINDINGS = 100;

  private final LogAddress log;
  private final FileFormat format;
  private final TableReading reading;
  private final List<String> findings = new ArrayList<>();
  private long more;

  /** Creates a proof without reading anything. */
  public TableProof(LogAddress log, FileFormat format) {
    this.log = log;
    this.format = format;
    this.reading = new TableReading(TablePlace.of(log), format);
  }

  /**
   * The result of the proof.
   *
   * @param covered the last slot that the table covers
   * @param rows number of rows in its files
   * @param files number of its files
   * @param changes the captured tables whose changes were compared, too
   * @param findings the first faults, one sentence each
   * @param more number of further faults
   */
  public record TableVerdict(
      long version,
      long covered,
      long rows,
      long files,
      Set<String> changes,
      List<String> findings,
      long more) {
    public TableVerdict {
      changes = Set.copyOf(changes);
      findings = List.copyOf(findings);
    }
  }

  /** Returns the last slot that the table covers; empty if there is no table. */
  public Optional<Long> covered() throws TableException {
    DeltaState state = reading.latest();
    return state.isThere() ? Optional.of(state.covered()) : Optional.empty();
  }

  /**
   * Compares the tables with the log.
   *
   * @param first the first slot that the log still has; rows of earlier slots are compared only
   *     with number and sum in their file's commit
   * @return empty if there is no table
   * @throws TableException if a table cannot be read
   * @throws LogReadException if the log cannot be read
   */
  public Optional<TableVerdict> run(long first) throws TableException {
    DeltaState state = reading.latest();
    if (!state.isThere()) {
      return Optional.empty();
    }
    FileProof proof = FileProof.ofLog(log, format, fault -> fault("table: " + fault));
    long rows = proof.run(state, first, state.covered());
    Set<String> changed = new TreeSet<>(proof.captured());
    for (String table : changed) {
      FileProof of =
          FileProof.ofChanges(
              log, format, table, fault -> fault("table of changes of " + table + ": " + fault));
      DeltaState changes = new TableReading(TablePlace.ofChanges(log, table), format).latest();
      of.run(changes, first, Math.max(state.covered(), changes.covered()));
    }
    return Optional.of(
        new TableVerdict(
            state.version(), state.covered(), rows, state.files().size(), changed, findings, more));
  }

  private void fault(String what) {
    if (findings.size() < MOST_FINDINGS) {
      findings.add(what);
    } else {
      more++;
    }
  }
}
