package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedRelation;
import java.util.List;

/**
 * The SQL that captures a table: for psql, or to be run statement by statement. May be run again.
 *
 * <p>The table is locked against writers from the first trigger to the end of its transaction, and
 * not waited for longer than {@value CaptureScript#LOCK_TIMEOUT}. Each table below it has a
 * transaction of its own: nobody waits for all of them.
 */
public sealed interface TableScript permits CaptureScript, RequestScript {
  /** What is called how. */
  CaptureNames names();

  /** What it is for. */
  CaptureRule rule();

  /** For one transaction, without BEGIN and COMMIT: of the table itself. */
  List<String> statements();

  /**
   * The table, with those below it, which are armed one by one after it, and strays, which are
   * disarmed then.
   */
  PinnedRelation relation();

  /** By which each of them is armed. */
  CaptureTriggers triggers();

  /** Those that the table has besides if it is partitioned, once all below it are armed. */
  default RowTriggers rowTriggers() {
    return new RowTriggers(names(), rule());
  }

  /** All of it, for psql. */
  String text();
}
