package dev.recorder.leadership;

import org.jspecify.annotations.Nullable;

/**
 * The content of a recorder's row as a watch saw it.
 *
 * @param holder the active host; null if the last one released the recorder, or before the first
 * @param epoch the number of the last term, 0 before the first
 * @param termSessionAlive whether the session that holds the term's lock exists
 * @param request the request to move the recorder, or for which it was released; null if there is
 *     none
 * @param faults how many terms in a row ended soon, by a fault
 */
public record RecorderView(
    int lockId,
    @Nullable String holder,
    long epoch,
    boolean termSessionAlive,
    @Nullable HandoverRequest request,
    int faults) {}
