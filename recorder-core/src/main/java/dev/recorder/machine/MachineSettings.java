package dev.recorder.machine;

import dev.recorder.leadership.Timing;
import dev.recorder.postgres.DatabaseSettings;
import java.util.List;
import java.util.Map;

/**
 * Everything a {@link Machine} needs to know.
 *
 * @param name unique among the machines of this database
 * @param version of the program, for operators
 * @param configHash of what the configuration should share with the other machines'
 * @param sectionHashes the same, by section: machines that differ are told so
 */
public record MachineSettings(
    String name,
    String version,
    String configHash,
    Map<String, String> sectionHashes,
    DatabaseSettings database,
    Timing timing,
    List<RecorderSettings> recorders) {
  /** PostgreSQL cuts application names at 63 bytes, and ours must stay whole. */
  private static final int LONGEST_NAME = 46;

  public MachineSettings {
    recorders = List.copyOf(recorders);
    sectionHashes = Map.copyOf(sectionHashes);
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "machine name '" + name + "' must have 1 to " + LONGEST_NAME + " characters");
    }
  }
}
