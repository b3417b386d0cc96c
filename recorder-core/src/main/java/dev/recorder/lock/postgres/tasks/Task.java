package dev.recorder.lock.postgres.tasks;

import org.jspecify.annotations.Nullable;

/**
 * A captured task, with the data that its owner needs to set its status.
 *
 * @param owner a name unique to the capture
 * @param token fencing token: greater than that of every earlier capture of this id
 * @param was the status before
 * @param retriesLeft how often the task can still be captured; null without limit
 */
public record Task(
    String queue,
    String id,
    String owner,
    long token,
    TaskStatus was,
    @Nullable Integer retriesLeft) {}
