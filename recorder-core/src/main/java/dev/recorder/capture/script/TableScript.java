package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedRelation;
import java.util.List;

/**
 * The SQL that captures a table, for psql or for running statement by statement. It may be run
 * again.
 *
 * <p>The table is locked against writers from the first trigger to the end of its transaction. A
 * statement waits at most {@value CaptureScript#LOCK_TIMEOUT} for the lock. Each table below it has
 * a transaction of its own, so that no writer waits for all of them.
 */
public sealed interface TableScript permits CaptureScript, RequestScript {
  /** Returns the names of the capture's objects. */
  CaptureNames names();

  /** Returns the rule to set up. */
  CaptureRule rule();

  /** Returns the statements for the table itself, for one transaction, without BEGIN and COMMIT. */
  List<String> statements();

  /**
   * Returns the table, the tables below it, which are armed one by one after it, and the strays,
   * which are disarmed last.
   */
  PinnedRelation relation();

  /** Returns the triggers with which each table is armed. */
  CaptureTriggers triggers();

  /**
   * Returns the row triggers of a partitioned table, which are created after all tables below it
   * are armed.
   */
  default RowTriggers rowTriggers() {
    return new RowTriggers(names(), rule());
  }

  /** Returns the whole script, for psql. */
  String text();
}
