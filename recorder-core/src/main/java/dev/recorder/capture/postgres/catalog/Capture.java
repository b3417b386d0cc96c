package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.TableName;
import dev.recorder.capture.script.CaptureTriggers.Purpose;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that is captured.
 *
 * @param rule as it was set up; its table is what it is called in the log
 * @param table what it is called now; null if it is gone, or its triggers are
 * @param columns those that it takes
 * @param purpose what its triggers are for
 * @param relations those that have a trigger of it: the table itself first, then its partitions,
 *     and last what does not belong to it any more
 * @param isNameTaken whether another table has by now the name that it has in the log
 * @param since when it was set up
 */
public record Capture(
    CaptureRule rule,
    @Nullable TableName table,
    PinnedColumns columns,
    Purpose purpose,
    List<TableName> relations,
    boolean isNameTaken,
    Instant since) {
  public Capture {
    relations = List.copyOf(relations);
  }

  /** Why a table of this name is not captured as if it had never been. */
  public String isThere(TableName wanted) {
    boolean isLogged = rule.table().equals(wanted);
    String text =
        "table %s is captured by recorder %s already%s: "
            .formatted(wanted, rule.recorder(), isLogged ? "" : ", as " + rule.table());
    if (isNameTaken && isLogged) {
      String other = table == null ? "is gone" : "is called " + table + " now";
      return text
          + "another table had this name then, which %s; add --again and --snapshot to capture this one instead"
              .formatted(other);
    }
    return text + "to set it up again, or otherwise, add --again";
  }
}
