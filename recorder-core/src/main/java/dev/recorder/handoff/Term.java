package dev.recorder.handoff;

import java.util.UUID;

/**
 * The time during which one host is the active host of a recorder.
 *
 * @param lockId the recorder's number, 1..998
 * @param epoch the term's number, the fencing token, which only rises within a recorder
 * @param machine the holder's name
 * @param log identity of the log that the term writes
 */
public record Term(int lockId, long epoch, String machine, UUID log) {}
