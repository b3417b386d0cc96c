package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;

/** What triggers are called that capture changes, for whoever makes them and whoever looks. */
public final class CaptureTriggerNames {
  /** Begins with digits, so that it fires before triggers of others of its kind. */
  private static final String PREFIX = "00_recorder_";

  /**
   * What a trigger for each row is called, by recorder and by what it is for: it fires behind those
   * of others, which may change the row.
   */
  public static final String LAST = "zz_recorder_%s_%s";

  /**
   * The argument of triggers that find entities by looking at other rows, which others may be
   * changing at the same time.
   */
  public static final String LOOKS_UP = "looks up";

  /** SQL of what a log's sequence of changes stands at, at least, when it is made or moved. */
  public static final String PRESENT = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

  private CaptureTriggerNames() {}

  /**
   * The name of a trigger, the same on each table.
   *
   * @param event in small letters
   */
  public static String name(RecorderName recorder, String event) {
    return PREFIX + recorder + "_" + event;
  }
}
