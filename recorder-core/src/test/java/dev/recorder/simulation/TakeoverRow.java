package dev.recorder.simulation;

import dev.recorder.leadership.Reason;
import org.jspecify.annotations.Nullable;

/** A row of {@code takeovers}. */
record TakeoverRow(
    int lockId, Reason reason, @Nullable String from, String to, long fromEpoch, long toEpoch) {}
