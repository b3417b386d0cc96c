package dev.recorder.postgres.holders;

/**
 * What keeps the server from removing old row versions.
 *
 * @param what describes it for people, with the remedy
 * @param xmin the oldest transaction that it may still need to see; identifies the hold
 */
public record XminHolder(String what, String xmin) {}
