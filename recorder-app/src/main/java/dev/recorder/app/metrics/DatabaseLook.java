package dev.recorder.app.metrics;

import dev.recorder.operate.Inspection;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.RecorderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the database has found.
 *
 * @param hosts all that ever registered
 * @param recorders all of the database
 */
public record DatabaseLook(List<MachineStatus> hosts, List<RecorderStatus> recorders) {
  /** Where counting what waits stops, so that a backlog does not make looking dear. */
  static final int COUNT_UP_TO = 10_000;

  /** How old the heartbeat of a living host may be; several times what any host allows. */
  private static final Duration FRESH = Duration.ofSeconds(10);

  public DatabaseLook {
    hosts = List.copyOf(hosts);
    recorders = List.copyOf(recorders);
  }

  static DatabaseLook at(Inspection database) {
    return new DatabaseLook(database.machines(FRESH), database.recorders(COUNT_UP_TO));
  }

  List<MachineStatus> alive() {
    return hosts.stream().filter(MachineStatus::alive).toList();
  }

  /** Of the living hosts, those that could take the recorder or have it. */
  long able(RecorderStatus recorder) {
    return alive().stream().filter(host -> host.able().contains(recorder.lockId())).count();
  }

  /** Whether a living host has the recorder. */
  boolean isHeld(RecorderStatus recorder) {
    return alive().stream().anyMatch(host -> host.name().equals(recorder.holder()));
  }

  /** How many different files the living hosts have. */
  long files() {
    return alive().stream().map(MachineStatus::configHash).distinct().count();
  }

  /** Since the recorder's last slot was settled, on the database's clock; null before the first. */
  @Nullable Duration settledAge(RecorderStatus recorder) {
    Instant settled = recorder.lastSettledAt();
    // The youngest heartbeat is about as old as the look: this host's own, or a peer's.
    Instant now = hosts.stream().map(MachineStatus::lastBeat).max(Instant::compareTo).orElse(null);
    if (settled == null || now == null) {
      return null;
    }
    Duration age = Duration.between(settled, now);
    return age.isNegative() ? Duration.ZERO : age;
  }
}
