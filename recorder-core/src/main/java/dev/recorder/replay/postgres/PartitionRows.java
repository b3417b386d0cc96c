package dev.recorder.replay.postgres;

import java.util.List;

/** Which rows a partition has: its columns' values compared with texts. Data, and never SQL. */
sealed interface PartitionRows {
  /** Those that are in all of these. */
  record Every(List<PartitionRows> of) implements PartitionRows {}

  /** Those that are in one of these. */
  record AnyOf(List<PartitionRows> of) implements PartitionRows {}

  /** All others. */
  record Not(PartitionRows of) implements PartitionRows {}

  /** Those without a value there. */
  record IsNull(String column) implements PartitionRows {}

  /**
   * Those whose value compares so with one of these constants.
   *
   * @param type as which it is compared; empty if that is the column's own
   * @param sign {@code =}, or one of {@code < <= > >=}
   * @param collation by which it is ordered; empty if that is the column's own
   */
  record Compared(String column, String type, String sign, String collation, List<String> bounds)
      implements PartitionRows {}
}
