package dev.recorder.postgres.holders;

/**
 * What keeps the server from removing old row versions.
 *
 * @param what it is, for people, with what to do about it
 * @param xmin the oldest transaction number that it may still have to see; as long as it is the
 *     same, it is the same hold
 */
public record XminHolder(String what, String xmin) {}
