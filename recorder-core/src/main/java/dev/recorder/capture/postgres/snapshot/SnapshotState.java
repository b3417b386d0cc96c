package dev.recorder.capture.postgres.snapshot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a table's last snapshot.
 *
 * @param recorder the recorder of the log
 * @param table the table's name in the log
 * @param rows number of rows handed over, including repetitions of rows that were read again
 * @param percent percentage of the table that is read
 * @param endedAt null if the snapshot is running or was interrupted
 */
public record SnapshotState(
    String recorder,
    String table,
    long rows,
    int percent,
    Instant begunAt,
    Instant updatedAt,
    @Nullable Instant endedAt) {

  /** Receives the progress of a snapshot after each chunk. */
  @FunctionalInterface
  public interface SnapshotProgress {
    void at(long rows, int percent);
  }
}
