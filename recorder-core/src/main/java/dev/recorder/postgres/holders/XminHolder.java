package dev.recorder.postgres.holders;

/**
 * A session or object that prevents the server from removing old row versions.
 *
 * @param what describes the holder in messages, with the remedy
 * @param xmin the oldest transaction that it may still need to see; identifies the hold
 */
public record XminHolder(String what, String xmin) {}
