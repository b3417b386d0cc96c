package dev.recorder.simulation.servers;

import java.util.Set;

/** A row of {@code info_recorders}. */
record MachineRow(
    String name,
    long beat,
    SessionId session,
    Set<Integer> able,
    Set<Integer> prefers,
    Set<Integer> stuck) {}
