package dev.recorder.requests;

/** A create that was claimable when it was found; others may have claimed it since. */
public record Prefetched(long id, String entity) {}
