package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;

/**
 * What a machine does with a hand-off table.
 *
 * @param ticks whether it inserts rows by a timer
 * @param clears whether it takes recorded rows of a log out of it
 */
public record HandoffUse(RecorderName recorder, RecorderKind kind, boolean ticks, boolean clears) {}
