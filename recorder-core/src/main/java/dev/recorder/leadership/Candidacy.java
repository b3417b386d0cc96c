package dev.recorder.leadership;

/**
 * This host's interest in a recorder.
 *
 * @param primary whether this host is the recorder's primary
 * @param failback whether this host gives the recorder back when it is active and not the primary
 */
public record Candidacy(int lockId, String recorder, boolean primary, Failback failback) {}
