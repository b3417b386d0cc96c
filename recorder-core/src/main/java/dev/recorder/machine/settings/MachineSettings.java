package dev.recorder.machine.settings;

import dev.recorder.capture.CaptureRule;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Timing;
import dev.recorder.machine.Machine;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.requests.worker.BackEndSettings;
import dev.recorder.schema.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a {@link Machine}.
 *
 * @param name unique among the hosts of this database
 * @param version of the program, for operators
 * @param configHash hash of the configuration that hosts should share
 * @param sectionHashes the same by section, so that differences can be reported
 * @param recorders the recorders of logs
 * @param requests the recorders of requests
 * @param awaitsRestart changes in the file that take effect only after a restart
 * @param documentCaptures tables whose changes request documents of these recorders; others may be
 *     captured, too
 */
public record MachineSettings(
    String name,
    String version,
    String configHash,
    Map<String, String> sectionHashes,
    DatabaseSettings database,
    Timing timing,
    List<RecorderSettings> recorders,
    List<BackEndSettings> requests,
    List<String> awaitsRestart,
    List<CaptureRule> documentCaptures) {
  /**
   * The longest host name: PostgreSQL cuts application names at 63 bytes, and ours must stay whole.
   */
  private static final int LONGEST_NAME = 46;

  public MachineSettings {
    recorders = List.copyOf(recorders);
    requests = List.copyOf(requests);
    awaitsRestart = List.copyOf(awaitsRestart);
    documentCaptures = List.copyOf(documentCaptures);
    sectionHashes = Map.copyOf(sectionHashes);
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "machine name '" + name + "' must have 1 to " + LONGEST_NAME + " characters");
    }
  }

  /** Begins settings with defaults for all but these. */
  public static Builder of(String name, DatabaseSettings database) {
    return new Builder(name, database);
  }

  /** The wishes of all recorders, of both kinds, for their rows in the database. */
  public List<Setup.WantedRecorder> wanted() {
    return Stream.concat(
            recorders.stream().map(RecorderSettings::wanted),
            requests.stream().map(BackEndSettings::wanted))
        .toList();
  }

  /** The names of the recorders of logs. */
  public List<String> logNames() {
    return recorders.stream().map(recorder -> recorder.name().value()).toList();
  }

  /** The names of the recorders of requests. */
  public List<String> requestNames() {
    return requests.stream().map(recorder -> recorder.name().value()).toList();
  }

  /** All captures that the recorders want. */
  public List<CaptureRule> captures() {
    return Stream.concat(
            recorders.stream().flatMap(recorder -> recorder.captures().stream()),
            documentCaptures.stream())
        .toList();
  }

  /** The recorders of requests whose documents are built from tables, as far as that is known. */
  public Set<RecorderName> ofDocuments() {
    return requests.stream()
        .filter(recorder -> recorder.query() != null || isFedBySome(recorder.name()))
        .map(BackEndSettings::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isFedBySome(RecorderName recorder) {
    return documentCaptures.stream().anyMatch(rule -> rule.recorder().equals(recorder));
  }

  /** Returns the same settings with other recorders. */
  public MachineSettings with(List<RecorderSettings> logs, List<BackEndSettings> backEnds) {
    return new MachineSettings(
        name,
        version,
        configHash,
        sectionHashes,
        database,
        timing,
        logs,
        backEnds,
        awaitsRestart,
        documentCaptures);
  }

  /** Builds settings; not thread-safe. */
  public static final class Builder {
    private final String name;
    private final DatabaseSettings database;
    private final List<RecorderSettings> recorders = new ArrayList<>();
    private final List<BackEndSettings> requests = new ArrayList<>();
    private final List<CaptureRule> documentCaptures = new ArrayList<>();
    private List<String> awaitsRestart = List.of();
    private String version = "";
    private String configHash = "";
    private Map<String, String> sectionHashes = Map.of();
    private Timing timing = Timing.DEFAULT;

    private Builder(String name, DatabaseSettings database) {
      this.name = name;
      this.database = database;
    }

    /** Adds a recorder of a log. */
    public Builder log(RecorderSettings recorder) {
      recorders.add(recorder);
      return this;
    }

    /** Adds a recorder of requests. */
    public Builder requests(BackEndSettings recorder) {
      requests.add(recorder);
      return this;
    }

    /** Sets the tables whose changes request documents; default none. */
    public Builder documentCaptures(List<CaptureRule> given) {
      documentCaptures.addAll(given);
      return this;
    }

    /**
     * Sets the changes that take effect after a restart, each a sentence for operators; default
     * none.
     */
    public Builder awaitsRestart(List<String> given) {
      awaitsRestart = given;
      return this;
    }

    /** Sets the program's version; default empty. */
    public Builder version(String given) {
      version = given;
      return this;
    }

    /** Default {@link Timing#DEFAULT}. */
    public Builder timing(Timing given) {
      timing = given;
      return this;
    }

    /** Sets the hashes of the file, as a whole and by section; default empty. */
    public Builder hashes(String whole, Map<String, String> bySection) {
      configHash = whole;
      sectionHashes = bySection;
      return this;
    }

    /**
     * Builds the settings.
     *
     * @throws IllegalArgumentException if the name cannot be used; the message says why
     */
    public MachineSettings build() {
      return new MachineSettings(
          name,
          version,
          configHash,
          sectionHashes,
          database,
          timing,
          recorders,
          requests,
          awaitsRestart,
          documentCaptures);
    }
  }
}
