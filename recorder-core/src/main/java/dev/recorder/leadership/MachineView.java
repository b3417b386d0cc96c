package dev.recorder.leadership;

import java.util.Set;

/**
 * The state of a host as a watch saw it.
 *
 * @param beat its heartbeat's sequence number
 * @param sessionAlive whether its registered control session exists
 * @param able lock ids of the recorders that it can take
 * @param prefers lock ids of the recorders whose primary it is
 * @param stuck lock ids of the recorders for which it is active and makes no progress
 */
public record MachineView(
    String name,
    long beat,
    boolean sessionAlive,
    Set<Integer> able,
    Set<Integer> prefers,
    Set<Integer> stuck) {}
