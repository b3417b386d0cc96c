package dev.recorder.requests;

import org.jspecify.annotations.Nullable;

/**
 * One row of a hand-off table of requests.
 *
 * @param payload JSON text as it was inserted; null if the column is
 * @param attempts how often it was begun before, this time not counted
 */
public record Request(long id, RequestType type, @Nullable String payload, int attempts) {}
