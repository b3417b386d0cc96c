package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;

/**
 * How a machine uses a hand-off table.
 *
 * @param ticks whether it inserts rows by a timer
 * @param clears whether it deletes recorded rows of a log
 */
public record HandoffUse(RecorderName recorder, RecorderKind kind, boolean ticks, boolean clears) {}
