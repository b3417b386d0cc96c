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
 * Everything a {@link Machine} needs to know.
 *
 * @param name unique among the machines of this database
 * @param version of the program, for operators
 * @param configHash of what the configuration should share with the other machines'
 * @param sectionHashes the same, by section: machines that differ are told so
 * @param recorders of logs
 * @param requests recorders of requests
 * @param awaitsRestart what its file says otherwise since, and takes effect after a restart
 * @param documentCaptures tables whose changes ask these for documents; others may be captured, too
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
  /** PostgreSQL cuts application names at 63 bytes, and ours must stay whole. */
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

  /** Settings of a machine, of which all but these have a value. */
  public static Builder of(String name, DatabaseSettings database) {
    return new Builder(name, database);
  }

  /** What its recorders, of both kinds, want of the database. */
  public List<Setup.WantedRecorder> wanted() {
    return Stream.concat(
            recorders.stream().map(RecorderSettings::wanted),
            requests.stream().map(BackEndSettings::wanted))
        .toList();
  }

  /** Of its recorders of logs. */
  public List<String> logNames() {
    return recorders.stream().map(recorder -> recorder.name().value()).toList();
  }

  /** Of its recorders of requests. */
  public List<String> requestNames() {
    return requests.stream().map(recorder -> recorder.name().value()).toList();
  }

  /** All that its recorders should capture. */
  public List<CaptureRule> captures() {
    return Stream.concat(
            recorders.stream().flatMap(recorder -> recorder.captures().stream()),
            documentCaptures.stream())
        .toList();
  }

  /** Recorders of requests whose documents are built of tables, as far as that is known. */
  public Set<RecorderName> ofDocuments() {
    return requests.stream()
        .filter(recorder -> recorder.query() != null || isFedBySome(recorder.name()))
        .map(BackEndSettings::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isFedBySome(RecorderName recorder) {
    return documentCaptures.stream().anyMatch(rule -> rule.recorder().equals(recorder));
  }

  /** The same machine with other recorders. */
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

  /** Settings that are being put together; not thread-safe. */
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

    /** One more recorder of a log. */
    public Builder log(RecorderSettings recorder) {
      recorders.add(recorder);
      return this;
    }

    /** One more recorder of requests. */
    public Builder requests(BackEndSettings recorder) {
      requests.add(recorder);
      return this;
    }

    /** Tables whose changes ask recorders of requests for documents; none otherwise. */
    public Builder documentCaptures(List<CaptureRule> given) {
      documentCaptures.addAll(given);
      return this;
    }

    /**
     * What operators are told to take effect after a restart, each in a sentence; nothing
     * otherwise.
     */
    public Builder awaitsRestart(List<String> given) {
      awaitsRestart = given;
      return this;
    }

    /** Nothing otherwise. */
    public Builder version(String given) {
      version = given;
      return this;
    }

    /** {@link Timing#DEFAULT} otherwise. */
    public Builder timing(Timing given) {
      timing = given;
      return this;
    }

    /** Of a file, as a whole and by section; nothing otherwise. */
    public Builder hashes(String whole, Map<String, String> bySection) {
      configHash = whole;
      sectionHashes = bySection;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if the name cannot be used; says why
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
