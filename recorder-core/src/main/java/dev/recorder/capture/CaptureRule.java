package dev.recorder.capture;

import dev.recorder.handoff.RecorderName;

/**
 * That a log has the changes of a table, or that documents are made again after each of them.
 *
 * @param table what it is called in the log
 */
public record CaptureRule(RecorderName recorder, TableName table, CaptureOptions options) {
  /** Whether changes ask for documents; else they go into a log. */
  public boolean isOfDocuments() {
    return options.entity() != null;
  }
}
