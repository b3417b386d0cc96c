package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;

/**
 * How a host uses a hand-off table.
 *
 * @param ticks whether the host inserts rows by a timer
 * @param clears whether the host deletes recorded rows of a log
 */
public record HandoffUse(RecorderName recorder, RecorderKind kind, boolean ticks, boolean clears) {}
