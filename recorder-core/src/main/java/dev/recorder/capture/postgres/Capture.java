package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import java.time.Instant;
import java.util.List;

/**
 * A table that is captured.
 *
 * @param rule as it was set up; its table may have been renamed since
 * @param relations those that have a trigger of it: the table itself first, then its partitions;
 *     empty if the table is gone
 * @param since when it was set up
 * @param told fingerprint of the columns that the log was told last
 */
public record Capture(CaptureRule rule, List<TableName> relations, Instant since, String told) {
  public Capture {
    relations = List.copyOf(relations);
  }
}
