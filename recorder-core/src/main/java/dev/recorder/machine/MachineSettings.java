package dev.recorder.machine;

import dev.recorder.leadership.Timing;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.requests.worker.BackEndSettings;
import dev.recorder.schema.Setup;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Everything a {@link Machine} needs to know.
 *
 * @param name unique among the machines of this database
 * @param version of the program, for operators
 * @param configHash of what the configuration should share with the other machines'
 * @param sectionHashes the same, by section: machines that differ are told so
 * @param recorders of logs
 * @param requests recorders of requests
 */
public record MachineSettings(
    String name,
    String version,
    String configHash,
    Map<String, String> sectionHashes,
    DatabaseSettings database,
    Timing timing,
    List<RecorderSettings> recorders,
    List<BackEndSettings> requests) {
  /** PostgreSQL cuts application names at 63 bytes, and ours must stay whole. */
  private static final int LONGEST_NAME = 46;

  public MachineSettings {
    recorders = List.copyOf(recorders);
    requests = List.copyOf(requests);
    sectionHashes = Map.copyOf(sectionHashes);
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "machine name '" + name + "' must have 1 to " + LONGEST_NAME + " characters");
    }
  }

  /** A machine of logs only. */
  public MachineSettings(
      String name,
      String version,
      String configHash,
      Map<String, String> sectionHashes,
      DatabaseSettings database,
      Timing timing,
      List<RecorderSettings> recorders) {
    this(name, version, configHash, sectionHashes, database, timing, recorders, List.of());
  }

  /** What its recorders, of both kinds, want of the database. */
  List<Setup.Wanted> wanted() {
    return Stream.concat(
            recorders.stream().map(RecorderSettings::wanted),
            requests.stream().map(BackEndSettings::wanted))
        .toList();
  }

  /** The same machine with other recorders. */
  MachineSettings with(List<RecorderSettings> logs, List<BackEndSettings> backEnds) {
    return new MachineSettings(
        name, version, configHash, sectionHashes, database, timing, logs, backEnds);
  }
}
