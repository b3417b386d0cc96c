package dev.recorder.requests;

/** A create that could be claimed when somebody looked; it may be gone since. */
public record Prospect(long id, String entity) {}
