package dev.recorder.replay.postgres;

import java.util.List;

/** The rows of a partition: values of columns compared with texts. Data, never SQL. */
sealed interface PartitionPredicate {
  /** Rows in all of these. */
  record Every(List<PartitionPredicate> of) implements PartitionPredicate {}

  /** Rows in one of these. */
  record AnyOf(List<PartitionPredicate> of) implements PartitionPredicate {}

  /** All other rows. */
  record Not(PartitionPredicate of) implements PartitionPredicate {}

  /** Rows without a value in the column. */
  record IsNull(String column) implements PartitionPredicate {}

  /**
   * Rows whose value compares with one of these constants.
   *
   * @param type of the comparison; empty for the column's own
   * @param sign {@code =}, or one of {@code < <= > >=}
   * @param collation of the comparison; empty for the column's own
   */
  record Compared(String column, String type, String sign, String collation, List<String> bounds)
      implements PartitionPredicate {}
}
