package dev.recorder.capture;

import dev.recorder.handoff.RecorderName;

/**
 * Says that a table's changes are written into a log, or that each change has documents built anew.
 *
 * @param table the table's name in the log
 */
public record CaptureRule(RecorderName recorder, TableName table, CaptureOptions options) {
  /** Returns whether changes request documents. Otherwise they go into a log. */
  public boolean isOfDocuments() {
    return options.entity() != null;
  }
}
