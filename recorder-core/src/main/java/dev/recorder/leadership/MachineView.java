package dev.recorder.leadership;

import java.util.Set;

/**
 * What a watch saw of a machine.
 *
 * @param beat its heartbeat's sequence number
 * @param sessionAlive whether its registered control session exists
 * @param able lock ids it could take
 * @param prefers lock ids whose primary it is
 * @param stuck lock ids it is active for and makes no progress with
 */
public record MachineView(
    String name,
    long beat,
    boolean sessionAlive,
    Set<Integer> able,
    Set<Integer> prefers,
    Set<Integer> stuck) {}
