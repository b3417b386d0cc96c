package dev.recorder.capture;

import dev.recorder.handoff.RecorderName;

/**
 * That a log has the changes of a table.
 *
 * @param table what it is called in the log
 */
public record CaptureRule(RecorderName recorder, TableName table, CaptureOptions options) {}
