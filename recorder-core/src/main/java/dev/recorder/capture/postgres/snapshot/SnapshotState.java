package dev.recorder.capture.postgres.snapshot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the last snapshot of a table is.
 *
 * @param recorder whose log has it
 * @param table what the table is called there
 * @param rows how many rows it has handed over, those among them that were read again
 * @param percent how much of the table it has read
 * @param endedAt null as long as it is under way, or broken off
 */
public record SnapshotState(
    String recorder,
    String table,
    long rows,
    int percent,
    Instant begunAt,
    Instant updatedAt,
    @Nullable Instant endedAt) {

  /** Is told how far a snapshot is, after each chunk. */
  @FunctionalInterface
  public interface SnapshotProgress {
    void at(long rows, int percent);
  }
}
