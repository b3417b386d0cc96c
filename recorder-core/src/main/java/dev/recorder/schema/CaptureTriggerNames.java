package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;

/** The names of triggers that capture changes. */
public final class CaptureTriggerNames {
  /** Begins with digits, so that it fires before other triggers of its kind. */
  private static final String PREFIX = "00_recorder_";

  /**
   * The name of a trigger for each row, by recorder and purpose. It fires after other triggers,
   * which may change the row.
   */
  public static final String LAST = "zz_recorder_%s_%s";

  /**
   * The argument of triggers that find entities by reading other rows, which may change
   * concurrently.
   */
  public static final String LOOKS_UP = "looks up";

  /**
   * SQL for the least value of a log's sequence of changes when the sequence is created or moved.
   */
  public static final String PRESENT = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  private CaptureTriggerNames() {}

  /**
   * Returns the name of a trigger, which is the same on each table.
   *
   * @param event in lower case
   */
  public static String name(RecorderName recorder, String event) {
    return PREFIX + recorder + "_" + event;
  }
}
