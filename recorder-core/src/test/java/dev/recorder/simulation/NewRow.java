package dev.recorder.simulation;

import org.jspecify.annotations.Nullable;

/** A row that is to be inserted. */
record NewRow(int lockId, long id, @Nullable String key, String payload) {}
