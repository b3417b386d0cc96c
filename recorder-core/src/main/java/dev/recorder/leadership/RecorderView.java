package dev.recorder.leadership;

import org.jspecify.annotations.Nullable;

/**
 * What a watch saw of a recorder's row.
 *
 * @param holder the active machine, or null if the last one let go (or there was none)
 * @param epoch the number of the last term, 0 before the first
 * @param termSessionAlive whether the session that holds the term's lock exists
 * @param request the machine it should go to, or was left to; null if nobody asks for anything
 * @param faults how many terms in a row ended soon and by a fault
 */
public record RecorderView(
    int lockId,
    @Nullable String holder,
    long epoch,
    boolean termSessionAlive,
    @Nullable HandoverRequest request,
    int faults) {}
