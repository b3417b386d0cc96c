package dev.recorder.leadership;

/**
 * This machine's interest in a recorder.
 *
 * @param primary whether this machine is the preferred one
 */
public record Candidacy(int lockId, String recorder, boolean primary) {}
