package dev.recorder.operate.site;

import java.time.Instant;
import java.util.List;

/**
 * The status of a host in the database.
 *
 * @param alive whether its registered session exists and its heartbeat is fresh
 * @param lastBeat the time of its last heartbeat, by the database's clock
 * @param active lockids of the terms of its session
 * @param able lockids of the recorders that it could take
 * @param primaryFor lockids of the recorders whose primary it is
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
  /** Returns the same status without statements about recorders. */
  public MachineStatus silent() {
    return new MachineStatus(
        name, false, lastBeat, 0, 0, List.of(), List.of(), List.of(), version, configHash);
  }
}
