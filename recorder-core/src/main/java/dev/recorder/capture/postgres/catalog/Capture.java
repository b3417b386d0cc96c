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
 * @param rule the rule as it was set up; its table is the name in the log
 * @param table the table's present name; null if the table, or its triggers, are gone
 * @param columns the captured columns
 * @param purpose the purpose of its triggers
 * @param relations all tables with a trigger of the capture: the table itself, then its partitions,
 *     then tables that no longer belong to it
 * @param isNameTaken whether another table now has the name that the captured table has in the log
 * @param since the time when it was set up
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

  /** Returns the message that a table of this name is captured already. */
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
