package dev.recorder.simulation.servers;

import dev.recorder.leadership.TakeoverReason;
import org.jspecify.annotations.Nullable;

/** A row of {@code takeovers}. */
public record TakeoverRow(
    int lockId,
    TakeoverReason reason,
    @Nullable String from,
    String to,
    long fromEpoch,
    long toEpoch) {}
