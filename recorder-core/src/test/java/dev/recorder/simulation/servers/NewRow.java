package dev.recorder.simulation.servers;

import org.jspecify.annotations.Nullable;

/** A row that is to be inserted. */
public record NewRow(int lockId, long id, @Nullable String key, String payload) {}
