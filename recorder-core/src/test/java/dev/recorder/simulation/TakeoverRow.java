package dev.recorder.simulation;

import dev.recorder.leadership.TakeoverReason;
import org.jspecify.annotations.Nullable;

/** A row of {@code takeovers}. */
record TakeoverRow(
    int lockId,
    TakeoverReason reason,
    @Nullable String from,
    String to,
    long fromEpoch,
    long toEpoch) {}
