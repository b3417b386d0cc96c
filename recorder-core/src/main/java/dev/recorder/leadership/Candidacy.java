package dev.recorder.leadership;

/**
 * This machine's interest in a recorder.
 *
 * @param primary whether this machine is the preferred one
 * @param failback whether this machine, when it is active and not the primary, gives it back
 */
public record Candidacy(int lockId, String recorder, boolean primary, Failback failback) {}
