package dev.recorder.handoff;

import java.util.UUID;

/**
 * One stretch of being the active machine of a recorder.
 *
 * @param lockId the recorder's number, 1..998
 * @param epoch the term's number, the fencing token: only ever rising per recorder
 * @param machine the holder's name
 * @param log identity of the log that the term writes
 */
public record Term(int lockId, long epoch, String machine, UUID log) {}
