package dev.recorder.operate.site;

import java.time.Instant;
import java.util.List;

/**
 * A machine as the database knows it.
 *
 * @param alive its registered session exists and its heartbeat is fresh
 * @param lastBeat when it last beat, database clock
 * @param active lockids of the terms of its session
 * @param able lockids it could take
 * @param primaryFor lockids it is the primary of
 */
public record MachineStatus(
    String name,
    boolean alive,
    Instant lastBeat,
    int primaries,
    int secondaries,
    List<Integer> active,
    List<Integer> able,
    List<Integer> primaryFor,
    String version,
    String configHash) {
  /** The same without what it stated of recorders. */
  public MachineStatus silent() {
    return new MachineStatus(
        name, false, lastBeat, 0, 0, List.of(), List.of(), List.of(), version, configHash);
  }
}
