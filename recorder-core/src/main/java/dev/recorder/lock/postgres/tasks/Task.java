package dev.recorder.lock.postgres.tasks;

import org.jspecify.annotations.Nullable;

/**
 * A captured task: what its owner needs to set its status.
 *
 * @param owner unique to the capture
 * @param token fencing token: greater than that of every earlier capture of this id
 * @param was its status before
 * @param retriesLeft how often it can be captured after this; null without limit
 */
public record Task(
    String queue,
    String id,
    String owner,
    long token,
    TaskStatus was,
    @Nullable Integer retriesLeft) {}
