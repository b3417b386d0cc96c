package dev.recorder.requests;

/** A create that could be claimed at the time of a look ahead; it may be gone since. */
public record Prefetched(long id, String entity) {}
