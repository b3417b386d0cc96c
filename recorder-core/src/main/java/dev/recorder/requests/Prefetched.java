package dev.recorder.requests;

/** A create that could be claimed when somebody looked; it may be gone since. */
public record Prefetched(long id, String entity) {}
